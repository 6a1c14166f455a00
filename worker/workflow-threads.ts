import { fileURLToPath } from 'node:url';
import threads, { Worker, type WorkerOptions } from 'node:worker_threads';

const PRELOAD = fileURLToPath(new URL('./workflow-thread.cjs', import.meta.url));
/** The module of the SDK that a thread for workflows begins with. */
const ENTRY = /[\\/]workflow-worker-thread(\.js)?$/;

/**
 * Whether the scopes of a workflow, which the SDK keeps in an `AsyncLocalStorage`, do without hooks
 * of promises. Before Node 24 they go by them, and without the SDK's own they are lost in the
 * contexts of runs: a timer then cancels what it should not.
 */
const HAS_CONTEXT_FRAMES = Number.parseInt(process.versions.node, 10) >= 24;

/** A thread that loads `workflow-thread.cjs` first if it is one for workflows. */
class PreloadedWorker extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    const isForWorkflows = ENTRY.test(String(file));
    super(file, isForWorkflows ? { ...options, execArgv: ['--require', PRELOAD] } : options);
  }
}

/**
 * Has the SDK's threads for workflows load `workflow-thread.cjs` first. The SDK has no option for
 * it, and as an argument of `node` each way to start a worker would have to name it. Should a
 * release of the SDK start its threads in another way, or Node be older than 24, runs are right but
 * slower.
 */
export function preloadWorkflowThreads(): void {
  if (HAS_CONTEXT_FRAMES) Object.assign(threads, { Worker: PreloadedWorker });
}
