/**
 * The Test Explorer: every declaration as a test, by file. A run has declarations checked and waits for their verdicts;
 * verdicts that come from saving a file appear as well. What is shown is what the server lists, and nothing is kept here
 * but which state was shown last.
 */
import * as vscode from 'vscode';

import type { Connection } from './connection';
import { rows } from './rows';
import type { Row } from './rows';
import { Runs, Waiting } from './waiting';

const CHECK_NAMED = 'rewright.server.checkDeclarations';
const STOP = 'rewright.server.stop';

/** Milliseconds between two looks while keys are pressed. */
const SOON = 300;

export class Tests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('rewright', 'Rewright');
  private readonly shown = new Map<string, string>();
  private readonly known = new Map<string, Row>();
  private readonly runs = new Runs();
  private due: NodeJS.Timeout | undefined;

  constructor(private readonly connection: Connection) {
    const check = (request: vscode.TestRunRequest, token: vscode.CancellationToken) => this.run(request, token);
    this.controller.createRunProfile('Check', vscode.TestRunProfileKind.Run, check, true);
    this.controller.refreshHandler = () => this.look();
  }

  /** Looks at the declarations again, soon. */
  changed(): void {
    this.due ??= setTimeout(() => {
      this.due = undefined;
      void this.look();
    }, SOON);
  }

  dispose(): void {
    clearTimeout(this.due);
    this.controller.dispose();
  }

  private async look(): Promise<void> {
    const settle = this.runs.looking();
    const listed = this.connection.isRunning ? await rows(this.connection) : [];
    if (listed === undefined) {
      return;
    }
    this.known.clear();
    const files = new Map<string, Row[]>();
    for (const row of listed) {
      this.known.set(row.id, row);
      files.set(row.uri, [...(files.get(row.uri) ?? []), row]);
    }
    this.controller.items.replace([...files].map(([uri, of]) => this.fileItem(uri, of)));
    this.settle(listed);
    settle(this.known);
  }

  private fileItem(uri: string, of: Row[]): vscode.TestItem {
    const at = vscode.Uri.parse(uri);
    const file = this.controller.items.get(uri) ?? this.controller.createTestItem(uri, vscode.workspace.asRelativePath(at), at);
    file.children.replace(of.map((row) => {
      const item = file.children.get(row.id) ?? this.controller.createTestItem(row.id, row.name, at);
      item.range = new vscode.Range(row.line, 0, row.line, 0);
      item.description = row.label;
      return item;
    }));
    return file;
  }

  /** Shows the verdicts that no run waits for, and greys those that are of an earlier text. */
  private settle(listed: Row[]): void {
    const awaited = this.runs.ids();
    const fresh = listed.filter((row) => this.shown.get(row.id) !== outcomeOf(row) && !awaited.has(row.id));
    const done = fresh.filter((row) => row.state === 'done');
    if (done.length > 0) {
      const run = this.controller.createTestRun(new vscode.TestRunRequest(), 'saved', false);
      for (const row of done) {
        this.report(run, row);
      }
      run.end();
    }
    for (const row of fresh) {
      const item = this.item(row);
      if (row.state === 'unchecked' && this.shown.has(row.id) && item !== undefined) {
        this.controller.invalidateTestResults(item);
      }
      this.shown.set(row.id, outcomeOf(row));
    }
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const wanted = new Map<string, vscode.TestItem>();
    const take = (item: vscode.TestItem): void => {
      if (item.children.size > 0) {
        item.children.forEach(take);
      } else if (this.known.has(item.id)) {
        wanted.set(item.id, item);
      }
    };
    (request.include ?? [...this.controller.items].map(([, item]) => item)).forEach(take);
    request.exclude?.forEach((item) => wanted.delete(item.id));
    const run = this.waiting(this.controller.createTestRun(request), wanted);
    this.runs.add(run);
    token.onCancellationRequested(() => {
      void this.connection.execute(STOP);
      run.end();
    });
    const files = new Map<string, string[]>();
    for (const id of wanted.keys()) {
      const row = this.known.get(id);
      if (row !== undefined) {
        files.set(row.uri, [...(files.get(row.uri) ?? []), row.name]);
      }
    }
    for (const [uri, names] of files) {
      await this.connection.execute(CHECK_NAMED, uri, ...names);
    }
    run.isAsked = true;
    await this.look();
    await run.ended;
  }

  /** A run that waits for these tests, as the editor shows it. */
  private waiting(run: vscode.TestRun, wanted: Map<string, vscode.TestItem>): Waiting {
    const shown = (id: string, show: (item: vscode.TestItem) => void): void => {
      const item = wanted.get(id);
      if (item !== undefined) {
        show(item);
      }
    };
    wanted.forEach((item) => { run.enqueued(item); });
    return new Waiting(wanted.keys(), {
      done: (id, row) => {
        this.report(run, row);
        this.shown.set(id, outcomeOf(row));
      },
      started: (id) => { shown(id, (item) => { run.started(item); }); },
      skipped: (id) => { shown(id, (item) => { run.skipped(item); }); },
      ended: () => { run.end(); },
    });
  }

  private report(run: vscode.TestRun, row: Row): void {
    const item = this.item(row);
    if (item === undefined) {
      return;
    }
    if (row.asExpected) {
      run.passed(item, row.milliseconds);
    } else if (row.verdict === 'error') {
      run.errored(item, messagesOf(row), row.milliseconds);
    } else {
      run.failed(item, messagesOf(row), row.milliseconds);
    }
  }

  private item(row: Row): vscode.TestItem | undefined {
    return this.controller.items.get(row.uri)?.children.get(row.id);
  }
}

/** What a test shows of a row: another text means that it has to be shown anew. */
function outcomeOf(row: Row): string {
  return JSON.stringify([row.state, row.verdict, row.asExpected, row.messages]);
}

function messagesOf(row: Row): vscode.TestMessage[] {
  const found = row.messages.map((each) => {
    const message = new vscode.TestMessage(`${each.code}: ${each.text}`);
    message.location = new vscode.Location(vscode.Uri.parse(each.uri), new vscode.Position(each.line, each.character));
    return message;
  });
  return found.length > 0 ? found : [new vscode.TestMessage(row.reason === null ? row.label : `${row.label}: ${row.reason}`)];
}
