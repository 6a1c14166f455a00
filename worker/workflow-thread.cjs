'use strict';
// Loaded first in each thread that runs workflows; see workflow-threads.ts.

const v8 = require('node:v8');

/**
 * For each promise of a workflow the SDK keeps a stack trace, which only the query `__stack_trace`
 * shows: a quarter of the thread's time (temporalio/sdk-typescript#1587, which asks for an option).
 * Our runs say in their details what they wait for. Where Node has no such hooks, the SDK does
 * without; so it does here.
 */
v8.promiseHooks.createHook = () => {
  // It then warns that Node is too old, which is not so.
  const { warn } = console;
  console.warn = () => {};
  queueMicrotask(() => {
    console.warn = warn;
  });
  throw new Error('Workflows keep no stack traces of promises.');
};
