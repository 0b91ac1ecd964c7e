import { expect, it } from 'vitest';
import { isSame, nextOption } from './chart-option.ts';

const legend = { data: ['in', 'out'] };
const dataZoom = [{ type: 'inside', startValue: 3 }];
const series = [{ type: 'bar', data: [1, 2] }];
const state = {
  legend: [{ data: ['in', 'out'], selected: { in: false } }],
  dataZoom: [{ type: 'inside', start: 20, end: 60 }],
};

it('keeps what the reader has chosen while the numbers change', () => {
  const before = { option: { legend, dataZoom, series: [] }, state };
  expect(nextOption({ legend, dataZoom, series }, before)).toMatchObject({
    series,
    legend: [{ data: ['in', 'out'], selected: { in: false } }],
    dataZoom: [{ type: 'inside', start: 20, end: 60 }],
  });
});

it('takes what the code says anew in the place of what was chosen', () => {
  const before = { option: { legend, dataZoom }, state };
  const option = { legend: { ...legend, selected: { out: false } }, dataZoom: [{ type: 'inside', start: 0, end: 10 }] };
  expect(nextOption(option, before)).toEqual({ backgroundColor: 'transparent', ...option });
  expect(nextOption({ series }, before)).toEqual({ backgroundColor: 'transparent', series });
});

it('takes an option that was built anew for the same, unless functions are in it', () => {
  expect(isSame({ legend, series }, { legend: { ...legend }, series: [...series] })).toBe(true);
  expect(isSame({ series }, { series: [{ type: 'bar', data: [1, 3] }] })).toBe(false);
  expect(isSame({ formatter: () => 'a' }, { formatter: () => 'a' })).toBe(false);
  const endless: Record<string, unknown> = {};
  endless.self = endless;
  expect(isSame(endless, { ...endless })).toBe(false);
});
