// A hand, and what is refused, with the small client for TypeScript. Run with the address of a server.

import assert from 'node:assert/strict';
import { CardTable, Refused } from 'card-table-client';

const server = new CardTable(process.argv[2] ?? '');

async function refused(doing: Promise<unknown>): Promise<Refused> {
  const why = await doing.then(() => undefined, (caught: unknown) => caught);
  assert(why instanceof Refused);
  return why;
}

const pit = await server.open({ game: 'ace-pit', seats: ['Ann', 'Bob'], first_dealer: 0, end: { kind: 'hands', value: 1 } });
for (let asked = await pit.asks(); !asked.finished; asked = await pit.asks())
  assert.equal((await pit.record([asked.asks[0]!.events[0]!])).ruling?.verdict, 'accepted');
const now = await pit.now();
const rows = [];
for await (const row of pit.log()) rows.push(row.seq);
assert.equal(rows.length, now.version);
assert.deepEqual((await server.judge(await pit.wholeRecord())).totals, now.state.totals);

const table = await server.open({ game: 'ace-trump', seats: ['Ann', 'Bob', 'Cy'], first_dealer: 2 });
const [first, second] = (await table.asks()).asks[0]!.events;
assert.equal((await table.record([first!], { version: 0 })).version, 1);
assert((await refused(table.record([second!], { version: 0 }))).movedOn);
assert((await refused(table.record([{ type: 'play', seat: 2, cards: ['9WY'] }]))).irregular);
assert.equal((await table.amend(1, second!, { reason: 'The other card.' })).version, 2);
const bob = server.table(table.code, (await table.link('player', 1, 'Bob’s phone')).token);
assert.equal((await bob.record([(await bob.asks()).asks[0]!.events[0]!])).version, 3);
assert.equal((await table.undo()).version, 4);

const answer = await server.operation('get', '/api/v1/tables/{code}/', { path: { code: table.code } });
assert.equal(answer.version, 4);
const link = { path: { code: table.code }, body: { role: 'spectator' as const }, token: table.token };
assert.equal((await server.operation('post', '/api/v1/tables/{code}/links/', link)).role, 'spectator');

for await (const message of table.follow('0')) {
  if (message.event !== 'recorded') continue;
  assert.equal((message.data as { seq: number }).seq, Number(message.id));
  break;
}
console.log('All of it went well.');
