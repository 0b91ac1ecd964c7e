import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { grantedRoots, keptRoots } from './granted-roots.ts';
import type { Settings } from './settings/settings-schema.ts';

function createFolders() {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-roots-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const folder = (name: string) => {
    mkdirSync(join(dir, name), { recursive: true });
    return join(dir, name);
  };
  const [own, data, inner] = [folder('own'), folder('data'), folder('data/inner')];
  const host = (roots?: Settings['tenants'][string]['roots']) => ({
    roots: [own],
    rootSpellings: [],
    settings: { channels: {}, tenants: { acme: { ...(roots && { roots }) } } } as unknown as Settings,
  });
  return { own, data, inner, host };
}

test('a session has the roots it asks for, else those of its tenant, else those of the host', () => {
  const { own, data, inner, host } = createFolders();
  const acme = host([{ path: data }]);
  expect(grantedRoots(acme, 'acme', [inner]).roots).toEqual([inner]);
  expect(grantedRoots(acme, 'acme', undefined)).toEqual({ roots: [data] });
  expect(grantedRoots(acme, 'other', undefined)).toEqual({ roots: [own] });
  expect(grantedRoots(host([]), 'acme', undefined)).toEqual({ roots: [] });
  expect(grantedRoots(host(), 'acme', undefined)).toEqual({ roots: [] });
  expect(grantedRoots(host(), 'acme', [own])).toEqual({ roots: [own] });
});

test('what lies in a read-only root is read-only too, and a root inside it that is not stays writable', () => {
  const { data, inner, host } = createFolders();
  const acme = host([{ path: data, readOnly: true }, { path: inner }]);
  expect(grantedRoots(acme, 'acme', undefined).readOnlyRoots).toEqual([data]);
  expect(grantedRoots(acme, 'acme', [inner])).toEqual({ roots: [inner] });
  expect(grantedRoots(host([{ path: data, readOnly: true }]), 'acme', [inner])).toEqual({
    roots: [inner],
    readOnlyRoots: [inner],
  });
});

test('a root that is no directory is named', () => {
  const { host, data } = createFolders();
  expect(() => grantedRoots(host([{ path: join(data, 'gone') }]), 'acme', undefined)).toThrow(/gone does not exist/);
});

test("a kept session keeps the roots that are still there and still its tenant's", () => {
  const { own, data, inner, host } = createFolders();
  const kept = {
    id: 's',
    tenant: 'acme',
    channel: 'c',
    chatId: 's',
    user: '',
    roots: [own, data, inner, join(data, 'gone')],
  };
  expect(keptRoots(host(), { ...kept, tenant: 'other' }, false)).toEqual({ roots: [own, data, inner] });
  expect(keptRoots(host([{ path: inner, readOnly: true }]), kept, false)).toEqual({
    roots: [inner],
    readOnlyRoots: [inner],
  });
  rmSync(inner, { recursive: true });
  expect(keptRoots(host([{ path: data }]), kept, false)).toEqual({ roots: [data] });
});

test('a session knows how else its roots are called, as long as the links lead there', () => {
  const { own, data, host } = createFolders();
  const [link, other] = [`${own}-link`, `${data}-link`];
  symlinkSync(own, link);
  symlinkSync(data, other);
  const linked = { ...host([{ path: other }]), rootSpellings: [{ root: own, spelling: link }] };
  expect(grantedRoots(linked, '', undefined)).toEqual({ roots: [own], rootSpellings: [{ root: own, spelling: link }] });
  expect(grantedRoots(linked, 'acme', undefined)).toEqual({
    roots: [data],
    rootSpellings: [{ root: data, spelling: other }],
  });
  expect(grantedRoots(host(), '', [other])).toEqual({
    roots: [data],
    rootSpellings: [{ root: data, spelling: other }],
  });
  const kept = { ...{ id: 's', tenant: '', channel: 'c', chatId: 's', user: '' }, roots: [own] };
  expect(keptRoots(linked, kept, false).rootSpellings).toEqual([{ root: own, spelling: link }]);
  rmSync(link);
  symlinkSync(data, link);
  expect(keptRoots(linked, kept, false)).toEqual({ roots: [own] });
});

test('what a tenant no longer has is no longer in its sessions, unless its channel has it or it is given anew', () => {
  const { own, data, inner, host } = createFolders();
  const kept = { ...{ id: 's', tenant: 'acme', channel: 'desk', chatId: 's', user: '' }, roots: [own, inner] };
  expect(keptRoots(host(), kept, false)).toEqual({ roots: [] });
  expect(keptRoots(host(), kept, true)).toEqual({ roots: [own, inner] });
  const settings = { ...host().settings, channels: { desk: { roots: [data] } } };
  expect(keptRoots({ ...host(), settings }, kept, false)).toEqual({ roots: [inner] });
});
