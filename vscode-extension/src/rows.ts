/** Declarations as the server lists them, for views that the protocol has no request for. */
import type { Connection } from './connection';

const LIST = 'rewright.server.listDeclarations';

/** Something that was found, and where; lines and characters count from 0. */
export interface Message {
  readonly code: string;
  readonly text: string;
  readonly uri: string;
  readonly line: number;
  readonly character: number;
}

/** A declaration and what is known of it; lines count from 0. */
export interface Row {
  /** Tells it from every other declaration, also from one of the same name in the same file. */
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly uri: string;
  readonly line: number;
  /** The last line of it. */
  readonly last: number;
  readonly state: 'unchecked' | 'checking' | 'done';
  readonly verdict: string | null;
  readonly asExpected: boolean;
  readonly label: string;
  readonly reason: string | null;
  readonly milliseconds: number;
  readonly messages: Message[];
}

/** All declarations, by file and in order; undefined if no server runs. */
export async function rows(current: Connection): Promise<Row[] | undefined> {
  const listed = (await current.execute(LIST)) as Omit<Row, 'id'>[] | undefined;
  const times = new Map<string, number>();
  return listed?.map((row) => {
    const called = `${row.uri}#${row.kind} ${row.name}`;
    const time = (times.get(called) ?? 0) + 1;
    times.set(called, time);
    return { ...row, id: time === 1 ? called : `${called} ${String(time)}` };
  });
}
