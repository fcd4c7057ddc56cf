// The API in the words of a table. `shapes.d.ts` is made of the schema, as the README says.

import type { components } from './shapes.js';

type Shapes = components['schemas'];
export type GameId = Shapes['GameId'];
export type Event = Shapes['Event'];
export type Problem = Shapes['TableProblem'];
export type Asks = Shapes['Asks'];
export type Recorded = Shapes['Recorded'];
export type Role = 'scorekeeper' | 'player' | 'spectator';

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

interface Act {
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

  /** Ask the API. What is done twice because an answer got lost is done once, by its key. */
  async call<Answer>(path: string, token = '', act?: Act): Promise<Answer> {
    const headers: Record<string, string> = { Accept: 'application/json, application/problem+json' };
    if (token) headers['Authorization'] = `Bearer ${token}`;
    if (act) headers['Idempotency-Key'] = crypto.randomUUID();
    if (act) headers['Content-Type'] = 'application/json';
    if (act?.version !== undefined) headers['If-Match'] = `"${act.version}"`;
    const asked: RequestInit = { headers, ...(act ? { method: 'POST', body: JSON.stringify(act.body ?? {}) } : {}) };
    for (let left = TRIES - 1; ; left -= 1) {
      let wait = 0.5;
      try {
        const answer = await fetch(this.#url + path, asked);
        if (answer.ok) return (await answer.json()) as Answer;
        if (!left || !AGAIN.includes(answer.status)) throw new Refused(answer.status, (await answer.json()) as Problem);
        wait = Math.min(Number(answer.headers.get('Retry-After') ?? 1), LONGEST_WAIT);
      } catch (why) {
        if (!left || !(why instanceof TypeError)) throw why;
      }
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    }
  }
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

  /** Everything that stands, as import and the stateless judge take it. */
  wholeRecord(): Promise<Shapes['Record']> {
    return this.#call('record/');
  }

  #call<Answer>(path: string, act?: Act): Promise<Answer> {
    return this.#server.call<Answer>(`tables/${this.code}/${path}`, this.token, act);
  }
}
