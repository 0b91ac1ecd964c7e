/** The socket options of wasi:sockets that a guest may set; times in nanoseconds. Node passes on only those of keep-alive. */
export class TcpOptions {
  #isKeptAlive = false;
  #idleTime = 7_200_000_000_000n;
  #interval = 75_000_000_000n;
  #count = 9;
  #hopLimit = 64;
  #receiveBytes = 65_536n;
  #sendBytes = 65_536n;

  keepAliveEnabled(): boolean {
    return this.#isKeptAlive;
  }

  setKeepAliveEnabled(value: boolean): void {
    this.#isKeptAlive = value;
  }

  keepAliveIdleTime(): bigint {
    return this.#idleTime;
  }

  setKeepAliveIdleTime(value: bigint): void {
    this.#idleTime = aboveZero(value);
  }

  keepAliveInterval(): bigint {
    return this.#interval;
  }

  setKeepAliveInterval(value: bigint): void {
    this.#interval = aboveZero(value);
  }

  keepAliveCount(): number {
    return this.#count;
  }

  setKeepAliveCount(value: number): void {
    this.#count = aboveZero(value);
  }

  hopLimit(): number {
    return this.#hopLimit;
  }

  setHopLimit(value: number): void {
    this.#hopLimit = aboveZero(value);
  }

  receiveBufferSize(): bigint {
    return this.#receiveBytes;
  }

  setReceiveBufferSize(value: bigint): void {
    this.#receiveBytes = aboveZero(value);
  }

  sendBufferSize(): bigint {
    return this.#sendBytes;
  }

  setSendBufferSize(value: bigint): void {
    this.#sendBytes = aboveZero(value);
  }
}

function aboveZero<T extends bigint | number>(value: T): T {
  if (value <= 0) throw 'invalid-argument';
  return value;
}
