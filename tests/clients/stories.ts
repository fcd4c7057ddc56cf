// Tables recorded with the client that openapi-generator makes for fetch. Run with the address of a server and the
// ids of the games with their numbers of players: ace-trump=3 ...; it ends well, or says what went wrong.

import assert from 'node:assert/strict';
import { Configuration, FetchError, ResponseError, TablesApi } from './client/index';
import type { Event, GameId, OpenedTable, TableProblem } from './client/index';

const [url, ...games] = process.argv.slice(2);
const SEATS = ['Ann', 'Bob', 'Cy', 'Dee'];

function api(token: string | null = null): TablesApi {
  return new TablesApi(new Configuration({ basePath: url, ...(token ? { accessToken: token } : {}) }));
}

async function opened(game: GameId = 'ace-trump', seats = 3, isPrivate = false): Promise<OpenedTable> {
  return api().openTable({
    newTable: { game, seats: SEATS.slice(0, seats), firstDealer: 0, end: { kind: 'hands', value: 1 }, _private: isPrivate },
  });
}

async function refused(call: Promise<unknown>): Promise<[number, TableProblem]> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ResponseError) return [error.response.status, (await error.response.json()) as TableProblem];
    if (error instanceof FetchError) throw error.cause;
    throw error;
  }
  throw new Error('It was not refused.');
}

async function aPlay(table: OpenedTable, place = 0): Promise<Event> {
  const { asks } = await api(table.token).getAsks({ code: table.code });
  const event = asks[0]?.events[place];
  assert(event);
  return event;
}

async function aHandOf(game: GameId, seats: number): Promise<void> {
  const table = await opened(game, seats);
  const keeps = api(table.token);
  for (let done = 0; done < 300; done += 1) {
    const { asks, finished } = await keeps.getAsks({ code: table.code });
    if (finished) break;
    const events = asks[0]?.events ?? [];
    const event = events[(done * 7) % events.length];
    assert(event, game);
    const recorded = await keeps.recordEvents({ code: table.code, eventsToRecord: { events: [event] } });
    assert.equal(recorded.ruling?.verdict, 'accepted');
  }
  const { state } = await api().getTable({ code: table.code });
  assert(state.finished, game);
  assert(state.hands[0]?.scoreLines[0]?.reason.clauses.length, game);
}

async function aRetry(): Promise<void> {
  const table = await opened();
  const request = {
    code: table.code,
    eventsToRecord: { events: [await aPlay(table)] },
    idempotencyKey: crypto.randomUUID(),
  };
  const first = await api(table.token).recordEventsRaw(request);
  const again = await api(table.token).recordEventsRaw(request);
  assert.equal(first.raw.headers.get('Idempotent-Replayed'), null);
  assert.equal(again.raw.headers.get('Idempotent-Replayed'), 'true');
  assert.deepEqual(await first.value(), await again.value());
  assert.equal((await api().getTable({ code: table.code })).version, 1);
}

async function anOldVersion(): Promise<void> {
  const table = await opened();
  const keeps = api(table.token);
  const play = async () => ({
    code: table.code, eventsToRecord: { events: [await aPlay(table)] }, ifMatch: '"0"',
  });
  await keeps.recordEvents(await play());
  const [status, problem] = await refused(keeps.recordEvents(await play()));
  assert.deepEqual([status, problem.code, problem.version], [412, 'moved-on', 1]);
}

async function anAmendment(): Promise<void> {
  const table = await opened();
  const keeps = api(table.token);
  const other = await aPlay(table, 5);
  await keeps.recordEvents({ code: table.code, eventsToRecord: { events: [await aPlay(table)] } });
  const amendment = { seq: 1, event: other, reason: 'The other card.' };
  const tried = await keeps.amend({ code: table.code, amendment, dryRun: '1' });
  assert.deepEqual([tried.dryRun, tried.version], [true, 1]);
  const done = await keeps.amend({ code: table.code, amendment });
  assert.equal(done.version, 2);
  const { events } = await api().getLog({ code: table.code });
  assert.deepEqual(events.map((entry) => entry.amendedBy), [2, null]);
  assert(events[0]!.at instanceof Date);
}

async function aLink(): Promise<void> {
  const table = await opened();
  const event = await aPlay(table);
  const link = await api(table.token).makeLink({ code: table.code, linkToMake: { role: 'player', seat: 1 } });
  const eventsToRecord = { events: [event] };
  assert.equal((await api(link.token).recordEvents({ code: table.code, eventsToRecord })).version, 1);
  const [status, problem] = await refused(api('x'.repeat(30)).recordEvents({ code: table.code, eventsToRecord }));
  assert.deepEqual([status, problem.code], [401, 'authentication-failed']);
}

async function aPrivateTable(): Promise<void> {
  const table = await opened('ace-trump', 3, true);
  const [status, problem] = await refused(api().getTable({ code: table.code }));
  assert.deepEqual([status, problem.code], [404, 'no-such-table']);
  assert((await api(table.token).getTable({ code: table.code }))._private);
}

async function main(): Promise<void> {
  for (const each of games) {
    const [game, seats] = each.split('=');
    await aHandOf(game as GameId, Number(seats));
  }
  for (const story of [aRetry, anOldVersion, anAmendment, aLink, aPrivateTable]) await story();
  console.log('All of it went well.');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
