import type { ObjectName, StatementName } from '../../domain/ids.ts';

/**
 * Storage of images, and of signed statements, which are private: their names are never served. An
 * object is written once under its name and never changed. A store in a bucket throws
 * ObjectStoreUnavailable when it cannot be used.
 */
export type ObjectStore = {
  /** Stores an object, completely or not at all. */
  put(name: StoredName, object: StoredObject): Promise<void>;
  /** Deletes an object. Does nothing when it does not exist. */
  delete(name: StoredName): Promise<void>;
  /** Returns the bytes of an object, or undefined when it does not exist. */
  get(name: StoredName): Promise<Buffer | undefined>;
};

/** A name is in a folder of its own if it has a slash. */
export type StoredName = ObjectName | StatementName;

export type StoredObject = { bytes: Buffer; contentType: string };

/**
 * The store is away, hangs, refuses our key or lacks the bucket: nothing is known about the object.
 * The same request may succeed later, possibly after correcting the configuration.
 */
export class ObjectStoreUnavailable extends Error {
  override readonly name = 'ObjectStoreUnavailable';
}
