/**
 * What runs of tests wait for. A run is told of what was listed after it was asked for: what was listed before may be of
 * an earlier text, such as a half-typed one. It knows nothing of the editor.
 */
import type { Row } from './rows';

/** Declarations as they were listed, by their ids. */
export type Listed = ReadonlyMap<string, Row>;

/** What a run is told of its tests, and that none is left. */
export interface Told {
  done(id: string, row: Row): void;
  started(id: string): void;
  skipped(id: string): void;
  ended(): void;
}

export class Waiting {
  readonly ended: Promise<void>;
  /** Whether the server knows what this run waits for. */
  isAsked = false;
  private isOver = false;
  private finish: () => void = () => undefined;
  private readonly open: Set<string>;

  constructor(ids: Iterable<string>, private readonly told: Told) {
    this.open = new Set(ids);
    this.ended = new Promise((resolve) => { this.finish = resolve; });
  }

  ids(): string[] {
    return [...this.open];
  }

  /** Takes in what is listed: what has its verdict is done, what is neither checked nor being checked is skipped. */
  settle(listed: Listed): void {
    if (this.isOver) {
      return;
    }
    for (const id of this.ids()) {
      const row = listed.get(id);
      if (row?.state === 'checking') {
        this.told.started(id);
        continue;
      }
      if (row?.state === 'done') {
        this.told.done(id, row);
      } else {
        this.told.skipped(id); // stopped, or edited away
      }
      this.open.delete(id);
    }
    if (this.open.size === 0) {
      this.end();
    }
  }

  end(): void {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    for (const id of this.open) {
      this.told.skipped(id);
    }
    this.open.clear();
    this.told.ended();
    this.finish();
  }
}

export class Runs {
  private readonly open = new Set<Waiting>();

  /** Has a run told of what is listed, until it ends. */
  add(run: Waiting): void {
    this.open.add(run);
    void run.ended.then(() => this.open.delete(run));
  }

  /** The tests that some run waits for. */
  ids(): Set<string> {
    return new Set([...this.open].flatMap((run) => run.ids()));
  }

  /** To be called before the list is asked for: the runs that were asked for by then are told of what it says. */
  looking(): (listed: Listed) => void {
    const asked = [...this.open].filter((run) => run.isAsked);
    return (listed) => {
      for (const run of asked) {
        run.settle(listed);
      }
    };
  }
}
