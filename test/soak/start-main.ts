import { runOnProductionNode } from '../../bench/production-node.ts';

await runOnProductionNode(new URL('./main.ts', import.meta.url));
