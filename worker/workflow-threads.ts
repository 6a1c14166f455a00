import { fileURLToPath } from 'node:url';
import threads, { Worker, type WorkerOptions } from 'node:worker_threads';

const PRELOAD = fileURLToPath(new URL('./workflow-thread.cjs', import.meta.url));
/** The module of the SDK that a thread for workflows begins with. */
const ENTRY = /[\\/]workflow-worker-thread(\.js)?$/;

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
 * release of the SDK start its threads in another way, runs are right but slower.
 */
export function preloadWorkflowThreads(): void {
  Object.assign(threads, { Worker: PreloadedWorker });
}
