/** UDP is denied: the only way to these resources is `create-udp-socket`. */
export function createUdpSocket(): never {
  throw 'access-denied';
}

/** A guest gets none: see `createUdpSocket`. */
export class UdpSocket {}

/** A guest gets none: see `createUdpSocket`. */
export class IncomingDatagramStream {}

/** A guest gets none: see `createUdpSocket`. */
export class OutgoingDatagramStream {}
