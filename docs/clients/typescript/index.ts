// The API in the words of a table. `shapes.d.ts` is made of the schema, as the README says.

import type { components, paths } from './shapes.js';

type Shapes = components['schemas'];
export type GameId = Shapes['GameId'];
export type Event = Shapes['Event'];
export type Problem = Shapes['TableProblem'];
export type Asks = Shapes['Asks'];
export type Recorded = Shapes['Recorded'];
export type Role = 'scorekeeper' | 'player' | 'spectator';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Operation<P extends keyof paths, M extends Method> = Exclude<paths[P][M], undefined>;
/** The addresses that take a method. */
export type Paths<M extends Method> = { [P in keyof paths]: undefined extends paths[P][M] ? never : P }[keyof paths];
type Part<O, K extends string> = O extends { parameters: infer Of } ? (K extends keyof Of ? Of[K] : undefined) : undefined;
type Body<O> = O extends { requestBody?: infer B } ? (Exclude<B, undefined> extends { content: infer C } ? C[keyof C] : undefined) : undefined;
type Content<R> = R extends { content: infer C } ? C[keyof C] : undefined;
type Answered<O> = O extends { responses: infer R } ? Content<R[keyof R & (200 | 201 | 204)]> : never;
/** What an operation takes: the parts of its address, its query and its body, as the schema has them. */
export interface Parts<O> {
  path?: Part<O, 'path'>;
  query?: Part<O, 'query'>;
  body?: Body<O>;
  token?: string;
  version?: number;
}

/** A message of a stream. */
export interface Message {
  event: string;
  id: string;
  data: unknown;
}

const TRIES = 6;
// A proxy answers 502 or 504 while the process behind it is restarted.
const AGAIN = [429, 502, 503, 504];
const LONGEST_WAIT = 30;

/** An answer that says why something was not done; `problem.code` is stable. */
export class Refused extends Error {
  readonly status: number;
  readonly problem: Problem;

  constructor(status: number, problem: Problem) {
    super(`${problem.detail} (${problem.code})`);
    this.status = status;
    this.problem = problem;
  }

  /** The rules do not allow the event; sent again with `accepted` it is recorded, with its irregularity. */
  get irregular(): boolean {
    return this.problem.ruling?.verdict === 'irregular';
  }

  /** The table is at another version than the caller has seen; `problem.state` is how it stands. */
  get movedOn(): boolean {
    return this.status === 412;
  }
}

async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (let text = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const whole = text.split('\n\n');
      text = whole.pop()!;
      for (const each of whole) {
        const fields = Object.fromEntries(each.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
        if (fields['data']) yield { event: fields['event'] ?? 'message', id: fields['id'] ?? '', data: JSON.parse(fields['data']) };
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined); // whoever has seen enough lets the line go
  }
}

interface Act {
  method?: string;
  body?: unknown;
  version?: number | undefined;
}

/** A server: its games, its referee, and the tables on it. */
export class CardTable {
  readonly #url: string;

  constructor(url: string) {
    this.#url = `${url.replace(/\/+$/, '')}/api/v1/`;
  }

  games(): Promise<Shapes['GameSummary'][]> {
    return this.call('games/');
  }

  /** Judge a whole record; nothing is kept. */
  judge(record: Shapes['Record']): Promise<Shapes['Adjudication']> {
    return this.call('referee/judge/', '', { body: record });
  }

  /** Open a table; who opens it keeps its score. With a member's token of a group the table is that group's. */
  async open(table: Shapes['NewTable'], groupToken = ''): Promise<Table> {
    const { code, token } = await this.call<Shapes['OpenedTable']>('tables/', groupToken, { body: table });
    return new Table(this, code, token);
  }

  /** A table by its code: for reading, or with a token for what its link allows. */
  table(code: string, token: string | null = null): Table {
    return new Table(this, code, token);
  }

  /** Call any operation of the schema: `operation('get', '/api/v1/groups/{code}/', { path: { code }, token })`. */
  operation<M extends Method, P extends Paths<M>>(
    method: M,
    path: P,
    parts: Parts<Operation<P, M>> = {},
  ): Promise<Answered<Operation<P, M>>> {
    const values = (parts.path ?? {}) as Record<string, string | number>;
    const address = path.replace('/api/v1/', '').replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(values[name]!));
    const set = Object.entries((parts.query ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)]));
    const act = method === 'get' ? undefined : { method, body: parts.body, version: parts.version };
    return this.call(set.length ? `${address}?${query}` : address, parts.token, act);
  }

  /** The messages of a stream; one that breaks off goes on behind the last that came. */
  async *stream(path: string, token = '', lastId = ''): AsyncGenerator<Message> {
    for (let failed = 0; failed < TRIES; failed += 1) {
      const headers: Record<string, string> = { Accept: 'text/event-stream' };
      if (token) headers['Authorization'] = `Bearer ${token}`;
      if (lastId) headers['Last-Event-ID'] = lastId;
      try {
        const answer = await fetch(this.#url + path, { headers });
        if (!answer.ok && !AGAIN.includes(answer.status)) throw new Refused(answer.status, (await answer.json()) as Problem);
        for await (const message of answer.ok && answer.body ? messages(answer.body) : []) {
          failed = 0;
          lastId = message.id || lastId;
          yield message;
          if (message.event === 'revoked') return;
        }
      } catch (why) {
        if (why instanceof Refused) throw why;
      }
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** failed));
    }
  }

  /** Ask the API. What is done twice because an answer got lost is done once, by its key. */
  async call<Answer>(path: string, token = '', act?: Act): Promise<Answer> {
    const headers: Record<string, string> = { Accept: 'application/json, application/problem+json' };
    if (token) headers['Authorization'] = `Bearer ${token}`;
    if (act) headers['Idempotency-Key'] = crypto.randomUUID();
    if (act) headers['Content-Type'] = 'application/json';
    if (act?.version !== undefined) headers['If-Match'] = `"${act.version}"`;
    const asked: RequestInit = { headers, ...(act ? { method: (act.method ?? 'post').toUpperCase(), body: JSON.stringify(act.body ?? {}) } : {}) };
    for (let left = TRIES - 1; ; left -= 1) {
      let wait = 0.5;
      try {
        const answer = await fetch(this.#url + path, asked);
        if (answer.ok) return (await content(answer)) as Answer;
        if (!left || !AGAIN.includes(answer.status)) throw new Refused(answer.status, (await answer.json()) as Problem);
        wait = Math.min(Number(answer.headers.get('Retry-After') ?? 1), LONGEST_WAIT);
      } catch (why) {
        if (!left || !(why instanceof TypeError)) throw why;
      }
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    }
  }
}

async function content(answer: Response): Promise<unknown> {
  if (answer.status === 204) return undefined;
  return answer.headers.get('Content-Type')?.includes('json') ? answer.json() : answer.text();
}

/** A table, with the rights of a token. */
export class Table {
  readonly #server: CardTable;
  readonly code: string;
  readonly token: string;

  constructor(server: CardTable, code: string, token: string | null = null) {
    this.#server = server;
    this.code = code;
    this.token = token ?? '';
  }

  now(): Promise<Shapes['Table']> {
    return this.#call('');
  }

  /** What may be recorded next; `held` are cards that are to be played together. */
  asks(...held: string[]): Promise<Asks> {
    return this.#call(`asks/?cards=${encodeURIComponent(held.join(','))}`);
  }

  /** Record events, all or none; what is irregular, impossible or late is thrown as `Refused`. */
  record(events: Event[], more: { version?: number; sealed?: boolean; dryRun?: boolean } = {}): Promise<Recorded> {
    const body: Shapes['EventsToRecord'] = { events, ...(more.sealed ? { sealed: true } : {}) };
    return this.#call(`events/?dry_run=${more.dryRun ? 1 : 0}`, { body, version: more.version });
  }

  /** Take back the last event. */
  undo(version?: number): Promise<Shapes['Undone']> {
    return this.#call('undo/', { version });
  }

  /** Replace or strike (null) a row of the log; a dry run says what would change. */
  amend(seq: number, event: Event | null, more: { reason?: string; rethread?: boolean; dryRun?: boolean } = {}) {
    const body = { seq, event, reason: more.reason ?? '', rethread: more.rethread ?? false };
    return this.#call<Shapes['Amended']>(`amendments/?dry_run=${more.dryRun ? 1 : 0}`, { body });
  }

  /** Make a link; its token is shown this once. */
  link(role: Role, seat: number | null = null, name = ''): Promise<Shapes['NewLink']> {
    return this.#call('links/', { body: { role, seat, name } });
  }

  /** The rows of the log, oldest first, however many there are. */
  async *log(after = 0): AsyncGenerator<Shapes['LogEntry']> {
    for (let next = true; next; ) {
      const page = await this.#call<Shapes['Log']>(`events/?after=${after}`);
      yield* page.events;
      after = page.events.at(-1)?.seq ?? after;
      next = page.next !== null;
    }
  }

  /** Messages from now on, or after the one with `lastId`; reconnects when the connection is lost. */
  follow(lastId = ''): AsyncGenerator<Message> {
    return this.#server.stream(`tables/${this.code}/stream/?events=1`, this.token, lastId);
  }

  /** Everything that stands, as import and the stateless judge take it. */
  wholeRecord(): Promise<Shapes['Record']> {
    return this.#call('record/');
  }

  #call<Answer>(path: string, act?: Act): Promise<Answer> {
    return this.#server.call<Answer>(`tables/${this.code}/${path}`, this.token, act);
  }
}
