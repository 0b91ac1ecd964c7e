/** `error-code` of wasi:filesystem by errno: what the methods throw, and jco takes for the guest's error value. */
const BY_ERRNO = {
  EACCES: 'access',
  EAGAIN: 'would-block',
  EALREADY: 'already',
  EBADF: 'bad-descriptor',
  EBUSY: 'busy',
  EDEADLK: 'deadlock',
  EDQUOT: 'quota',
  EEXIST: 'exist',
  EFBIG: 'file-too-large',
  EILSEQ: 'illegal-byte-sequence',
  EINPROGRESS: 'in-progress',
  EINTR: 'interrupted',
  EINVAL: 'invalid',
  EIO: 'io',
  EISDIR: 'is-directory',
  ELOOP: 'loop',
  EMLINK: 'too-many-links',
  EMSGSIZE: 'message-size',
  ENAMETOOLONG: 'name-too-long',
  ENODEV: 'no-device',
  ENOENT: 'no-entry',
  ENOLCK: 'no-lock',
  ENOMEM: 'insufficient-memory',
  ENOSPC: 'insufficient-space',
  ENOTDIR: 'not-directory',
  ENOTEMPTY: 'not-empty',
  ENOTRECOVERABLE: 'not-recoverable',
  ENOTSUP: 'unsupported',
  ENOTTY: 'no-tty',
  ENXIO: 'no-such-device',
  EOVERFLOW: 'overflow',
  EPERM: 'not-permitted',
  EPIPE: 'pipe',
  EROFS: 'read-only',
  ESPIPE: 'invalid-seek',
  ETXTBSY: 'text-file-busy',
  EXDEV: 'cross-device',
  // WASI has no word for these. The host has no descriptor left:
  EMFILE: 'insufficient-memory',
  ENFILE: 'insufficient-memory',
  // A NUL in a name, a number that does not fit:
  ERR_INVALID_ARG_VALUE: 'invalid',
  ERR_OUT_OF_RANGE: 'invalid',
} as const;

export type ErrorCode = (typeof BY_ERRNO)[keyof typeof BY_ERRNO];

const CODES: ReadonlySet<string> = new Set(Object.values(BY_ERRNO));

/** Ends a method with an error that the guest sees. */
export function fail(code: ErrorCode): never {
  throw code;
}

/** The guest's error for what node:fs threw. A mistake of ours (a TypeError) is thrown on: a trap, not a file error. */
export function errorCodeOf(thrown: unknown): ErrorCode {
  if (typeof thrown === 'string' && CODES.has(thrown)) return thrown as ErrorCode;
  const errno = errnoOf(thrown);
  if (errno === undefined) throw thrown;
  return Object.hasOwn(BY_ERRNO, errno) ? BY_ERRNO[errno as keyof typeof BY_ERRNO] : 'io';
}

/** `ENOENT` and the like; undefined for what is no error of the system. */
export function errnoOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** Runs `action`, whatever of the file system it throws becoming the guest's error. */
export function withErrorCodes<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw errorCodeOf(error);
  }
}
