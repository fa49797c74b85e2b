/** Why another program's database cannot be read. How it is said stands at the edge. */
export type SourceFault =
  | { code: "source-address-invalid" }
  | { code: "source-missing"; path: string }
  | { code: "source-no-database"; path: string }
  | { code: "source-unreadable"; path: string; reason: string }
  | { code: "source-damaged"; path: string; reason: string }
  /** A process writes to it. */
  | { code: "source-busy"; path: string }
  /** No server answers there. `reason`: the driver's or the server's own code for it. */
  | { code: "source-unreachable"; host: string; reason: string }
  | { code: "source-sign-in-refused"; host: string; user: string }
  | { code: "source-database-missing"; host: string; database: string }
  | { code: "source-failed"; place: string; reason: string };

/** Another program's database that cannot be read. Never holds a password. */
export class SourceRefused extends Error {
  override readonly name = "SourceRefused";
  constructor(readonly fault: SourceFault) {
    super(JSON.stringify(fault));
  }
}
