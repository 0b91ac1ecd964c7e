import type { TreeNode } from '@toolpost/protocol';
import { plainLine } from '../../text/plain-text.ts';

const OPEN_DEPTH = 3;
const OPEN_CHILDREN = 30;

/** A tree whose branches open and close. */
export function TreeBlock({ nodes, depth = 0 }: { readonly nodes: readonly TreeNode[]; readonly depth?: number }) {
  return (
    <ul className={depth === 0 ? 'tree tree-nodes' : 'tree-nodes'}>
      {Array.from(nodes.entries(), ([at, node]) => (
        <li key={at}>
          <Node node={node} depth={depth} />
        </li>
      ))}
    </ul>
  );
}

function Node({ node, depth }: { readonly node: TreeNode; readonly depth: number }) {
  const { children = [] } = node;
  const label = (
    <>
      {plainLine(node.label)}
      {node.detail !== undefined && <span className="dim"> {plainLine(node.detail)}</span>}
    </>
  );
  if (children.length === 0) return <div className="tree-leaf">{label}</div>;
  return (
    <details open={depth < OPEN_DEPTH && children.length <= OPEN_CHILDREN}>
      <summary>{label}</summary>
      <TreeBlock nodes={children} depth={depth + 1} />
    </details>
  );
}
