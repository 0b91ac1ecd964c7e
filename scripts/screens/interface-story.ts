import type { ProviderAnswer } from '../../packages/host/src/models/fixtures/scripted-provider.ts';
import { asks, says } from './story.ts';

export const QUESTION = 'Show me what each feed lost this week, and let me choose which to watch.';

const CODE = `const days = [
  { day: 'Mon', north: 120, south: 210, harbour: 4 },
  { day: 'Tue', north: 140, south: 190, harbour: 0 },
  { day: 'Wed', north: 95, south: 150, harbour: 2 },
  { day: 'Thu', north: 180, south: 96, harbour: 0 },
  { day: 'Fri', north: 102, south: 20, harbour: 1 },
];
const sum = (feed) => days.reduce((all, one) => all + one[feed], 0);

export default function App() {
  return (
    <UI.Card title="Rows lost" subtitle="This week, by feed">
      <UI.Grid columns={3}>
        <UI.Stat label="north" value={sum('north')} unit="rows" values={days.map((one) => one.north)} />
        <UI.Stat label="south" value={sum('south')} unit="rows" values={days.map((one) => one.south)} />
        <UI.Stat label="harbour" value={sum('harbour')} unit="rows" values={days.map((one) => one.harbour)} />
      </UI.Grid>
      <UI.Chart type="bar" data={days} x="day" series={['north', 'south', 'harbour']} />
      <UI.Form
        fields={[
          { name: 'limit', label: 'Tell me above', type: 'number', value: 100 },
          { name: 'feeds', label: 'Feeds', type: 'select', options: ['north and south', 'all of them'] },
        ]}
        action="watch"
        submitLabel="Watch these feeds"
      />
    </UI.Card>
  );
}
`;

/** What the model says, request by request. Its call runs for real. */
export const ANSWERS: readonly ProviderAnswer[] = [
  asks('', [['display_html', { title: 'Rows lost by feed', code: CODE }]]),
  says('`south` got better through the week, `north` did not. Above which number shall I tell you?'),
];
