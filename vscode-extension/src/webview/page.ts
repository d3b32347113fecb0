/** A panel's data, as the server makes it: `server/rewright/report/panel/shown.py`. It is drawn and not interpreted. */

export interface Place {
  readonly uri: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Cell {
  readonly number: number;
  readonly text: string;
  readonly passed: boolean;
  readonly differs: boolean;
}

export interface Grid {
  readonly leading: string;
  readonly rows: readonly (readonly Cell[])[];
}

export interface Value {
  readonly shape: string;
  readonly grids: readonly Grid[];
  readonly text: string;
}

export interface Side {
  readonly name: string;
  readonly expression: string;
  readonly value: Value | null;
  readonly trouble: string;
}

export interface Input {
  readonly name: string;
  readonly text: string;
  readonly value: Value | null;
}

export interface Step {
  readonly id: string;
  readonly parent: string;
  readonly side: string;
  readonly role: 'input' | 'step' | 'result';
  readonly expression: string;
  readonly at: Place | null;
  readonly value: Value;
  readonly passes: string;
}

export interface Edge {
  readonly source: string;
  readonly element: number;
  readonly target: string;
  readonly into: number;
}

export interface Terms {
  readonly heading: string;
  readonly terms: readonly { readonly index: string; readonly text: string; readonly alone: boolean }[];
  readonly more: number;
}

export interface Turn {
  readonly line: string;
  readonly source: string;
  readonly at: Place | null;
  readonly events: readonly { readonly thread: number; readonly text: string; readonly collides: boolean }[];
}

export interface Timeline {
  readonly threads: readonly string[];
  readonly opened: string;
  readonly opened_at: Place | null;
  readonly turns: readonly Turn[];
  readonly left_out: number;
  readonly ending: string;
}

export interface Precondition {
  readonly title: string;
  readonly weaker: readonly { readonly precondition: string; readonly fails: string }[];
}

export interface Page {
  readonly uri: string;
  readonly title: string;
  readonly kind: string;
  readonly verdict: string;
  readonly sentence: string;
  readonly confirmed: string;
  readonly at: Place | null;
  readonly trouble: string;
  readonly sides: readonly Side[];
  readonly inputs: readonly Input[];
  readonly steps: readonly Step[];
  readonly edges: readonly Edge[];
  readonly terms: readonly Terms[];
  readonly timeline: Timeline | null;
  readonly preconditions: readonly Precondition[];
  readonly scripts: readonly { readonly name: string; readonly text: string }[];
  readonly pins: boolean;
}

/** What the page asks of the extension. */
export type Request =
  | { readonly type: 'ready' }
  | { readonly type: 'copy'; readonly name: string }
  | { readonly type: 'pin' }
  | { readonly type: 'go'; readonly place: Place };
