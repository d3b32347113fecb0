/**
 * The overview ruler: the lines of each declaration in the colour of what is known of it. Findings are drawn there by the
 * editor itself. What is drawn is what the server lists.
 */
import * as vscode from 'vscode';

import type { Connection } from './connection';
import { rows } from './rows';
import type { Row } from './rows';

const STATES = ['expected', 'unexpected', 'checking', 'unchecked'] as const;
type State = (typeof STATES)[number];

const COLOURS: Readonly<Record<State, string>> = {
  expected: 'testing.iconPassed',
  unexpected: 'testing.iconFailed',
  checking: 'progressBar.background',
  unchecked: 'testing.iconUnset',
};

/** Milliseconds between two looks while keys are pressed. */
const SOON = 300;

export class Ruler implements vscode.Disposable {
  private readonly drawn = STATES.map((state) => [state, vscode.window.createTextEditorDecorationType({
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    overviewRulerColor: new vscode.ThemeColor(COLOURS[state]),
  })] as const);
  private readonly watch = vscode.window.onDidChangeVisibleTextEditors(() => { this.changed(); });
  private due: NodeJS.Timeout | undefined;

  constructor(private readonly connection: Connection) {}

  /** Draws anew, soon. */
  changed(): void {
    this.due ??= setTimeout(() => {
      this.due = undefined;
      void this.draw();
    }, SOON);
  }

  dispose(): void {
    clearTimeout(this.due);
    this.watch.dispose();
    for (const [, decoration] of this.drawn) {
      decoration.dispose();
    }
  }

  private async draw(): Promise<void> {
    const listed = (this.connection.isRunning ? await rows(this.connection) : undefined) ?? [];
    for (const editor of vscode.window.visibleTextEditors) {
      const own = listed.filter((row) => row.uri === editor.document.uri.toString());
      for (const [state, decoration] of this.drawn) {
        const ranges = own.filter((row) => stateOf(row) === state).map((row) => new vscode.Range(row.line, 0, row.last, 0));
        editor.setDecorations(decoration, ranges);
      }
    }
  }
}

function stateOf(row: Row): State {
  return row.state !== 'done' ? row.state : row.asExpected ? 'expected' : 'unexpected';
}
