import { runOnProductionNode } from './production-node.ts';

await runOnProductionNode(new URL('./main.ts', import.meta.url));
