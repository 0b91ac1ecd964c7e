import type { ClosedGate, Diagnosis, Host, MachineCheck, PluginDiagnosis } from '@toolpost/host';
import type { Session } from '@toolpost/protocol';
import type { CommonOptions } from '../common-options.ts';
import { withHost } from '../open-host.ts';
import { print } from '../print.ts';
import { plainText } from '../terminal-text.ts';

export interface DoctorOptions extends CommonOptions {
  readonly json: boolean;
}

/** `toolpost doctor`: what stands between each plugin and its use. Exits with 1 where the user asked for what is closed. */
export async function doctor(options: DoctorOptions): Promise<number> {
  const show = async (host: Host, session: Session) => {
    const diagnosis = await host.diagnose(session);
    await print(options.json ? `${JSON.stringify(diagnosis)}\n` : plainText(forPeople(diagnosis)));
    return diagnosis.isFine ? 0 : 1;
  };
  return withHost(options, show, { warnsOfBroken: false });
}

function forPeople({ isFine, machine, plugins }: Diagnosis): string {
  const found = plugins.length === 0 ? ['  none: give a folder with --plugins DIR'] : plugins.flatMap(pluginLines);
  const end = isFine ? 'All that was asked for is open.' : 'Not all of it works: see the lines with ✗.';
  return `${['Machine', ...machine.flatMap(machineLines), 'Plugins', ...found, end].join('\n')}\n`;
}

function machineLines({ name, isFine, isFault, text, remedy }: MachineCheck): string[] {
  return [`  ${markOf(!isFine, isFault)} ${name}: ${text}`, ...(remedy ? [`      -> ${remedy}`] : [])];
}

function pluginLines({ id, runtime, dir, closed, tools, notes = [] }: PluginDiagnosis): string[] {
  const gates = [...closed, ...tools.flatMap((tool) => tool.closed ?? [])];
  const visible = tools.filter((tool) => !tool.closed).length;
  const what = [runtime, dir].filter((part) => part !== '').join(', ');
  const count = closed.some(({ gate }) => gate !== 'visible') ? '' : `  ${visible} of ${tools.length} tools visible`;
  return [
    `  ${markOf(
      gates.length > 0,
      gates.some(({ isFault }) => isFault),
    )} ${id}${what === '' ? '' : `  (${what})`}${count}`,
    ...closed.flatMap((gate) => gateLines('', gate)),
    ...tools.flatMap((tool) => (tool.closed && closed.length === 0 ? gateLines(`${tool.name}: `, tool.closed) : [])),
    ...tools.flatMap(({ name, note }) => (note === undefined ? [] : [`      ${name}: ${note}`])),
    ...notes.map((note) => `      - ${note}`),
  ];
}

function gateLines(subject: string, { gate, reason, remedy, isFault }: ClosedGate): string[] {
  const [first = '', ...rest] = reason.split('\n');
  const head = `      ${isFault ? '✗' : '-'} ${subject}not ${gate}: ${first}`;
  return [head, ...rest.map((line) => `        ${line}`), `        -> ${remedy}`];
}

function markOf(isClosed: boolean, isFault: boolean): string {
  if (isFault) return '✗';
  return isClosed ? '-' : '✓';
}
