import type { ObjectName } from '../../domain/ids.ts';

/** Where pictures are kept. An object is written once under its name, and never changed. */
export type ObjectStore = {
  /** Stores an object; it is there as a whole or not at all. */
  put(name: ObjectName, object: StoredObject): Promise<void>;
  /** Removes an object; one that is not there is removed already. */
  delete(name: ObjectName): Promise<void>;
  /** The bytes of an object, or undefined when there is none of that name. */
  get(name: ObjectName): Promise<Buffer | undefined>;
};

export type StoredObject = { bytes: Buffer; contentType: string };
