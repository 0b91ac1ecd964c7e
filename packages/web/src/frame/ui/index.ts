/** What interfaces are made of: `UI.*` in their code. */
export { Badge } from './badge.tsx';
export { Button } from './button.tsx';
export { Card } from './card.tsx';
export { Chart } from './chart.tsx';
export { Form } from './form.tsx';
export { Icon } from './icon.tsx';
export { Grid, Stack } from './layout.tsx';
export { Modal } from './modal.tsx';
export { Progress } from './progress.tsx';
export { Sparkline } from './sparkline.tsx';
export { Stat } from './stat.tsx';
export { Table } from './table.tsx';
export { Tabs } from './tabs.tsx';
export { Toast } from './toast.tsx';
