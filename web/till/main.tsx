import { startApp } from '../shared/start.tsx';

await startApp({ app: 'till', children: null });
