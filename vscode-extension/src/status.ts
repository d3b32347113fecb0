/** The language status item: a view of the last counts that the server sent, and of whether it runs at all. */
import * as vscode from 'vscode';
import { NotificationType } from 'vscode-languageclient/node';

/** The counts of one report, as the server sends them. */
export interface Counts {
  readonly state: 'idle' | 'checking' | 'error';
  readonly proved: number;
  readonly checked: number;
  readonly conditional: number;
  readonly refuted: number;
  readonly unknown: number;
  readonly invalid: number;
  readonly error: number;
  readonly pending: number;
  /** Declarations without a verdict that nothing is being done about: edited since, or their check was stopped. */
  readonly unchecked: number;
  readonly message: string | null;
}

export const STATUS = new NotificationType<Counts>('rewright/status');

/** Worst first, as in the order of verdicts. */
const VERDICTS = ['error', 'invalid', 'refuted', 'unknown', 'conditional', 'checked', 'proved'] as const;

const STARTING = 'Rewright: starting';

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem('rewright.status', [
    { language: 'rewright' },
    { pattern: '**/*.{c,cu,cuh}' },
  ]);

  constructor() {
    this.item.name = 'Rewright';
    this.stopped();
  }

  get text(): string {
    return this.item.text;
  }

  show(counts: Counts): void {
    this.item.busy = counts.state === 'checking';
    this.item.severity = severity(counts);
    this.item.text = text(counts);
    this.item.detail = counts.message ?? '';
    this.item.command = counts.state === 'error'
      ? { title: 'Show Output', command: 'rewright.showOutput' }
      : { title: 'List', tooltip: 'What is refuted, unknown or not checked', command: 'rewright.listOpen' };
  }

  starting(): void {
    this.say('starting', vscode.LanguageStatusSeverity.Information);
    this.item.busy = true;
  }

  /** The server runs; what it found, it may have said already. */
  started(): void {
    if (this.item.text === STARTING) {
      this.say('running', vscode.LanguageStatusSeverity.Information);
    }
  }

  stopped(): void {
    this.say('not running', vscode.LanguageStatusSeverity.Information);
  }

  failed(problem: string): void {
    this.say('not running', vscode.LanguageStatusSeverity.Error);
    this.item.detail = problem;
  }

  dispose(): void {
    this.item.dispose();
  }

  private say(what: string, level: vscode.LanguageStatusSeverity): void {
    this.item.busy = false;
    this.item.severity = level;
    this.item.text = `Rewright: ${what}`;
    this.item.detail = '';
    this.item.command = { title: 'Restart Server', command: 'rewright.restart' };
  }
}

function severity(counts: Counts): vscode.LanguageStatusSeverity {
  if (counts.state === 'error' || counts.error > 0) {
    return vscode.LanguageStatusSeverity.Error;
  }
  return counts.refuted + counts.invalid + counts.unknown > 0
    ? vscode.LanguageStatusSeverity.Warning
    : vscode.LanguageStatusSeverity.Information;
}

function text(counts: Counts): string {
  const parts = VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => `${String(counts[verdict])} ${verdict}`);
  if (counts.pending > 0) {
    parts.push(`${String(counts.pending)} to go`);
  }
  if (counts.unchecked > 0) {
    parts.push(`${String(counts.unchecked)} not checked`);
  }
  return parts.length > 0 ? parts.join(', ') : 'Rewright: nothing to check';
}
