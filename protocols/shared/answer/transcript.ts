import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";

/** A transcript that a translation has read from a vendor's answer. A class, so that no JSON of an upstream can pretend to be one. */
export class Transcript {
  constructor(
    readonly text: string,
    /** The upstream's tokens. */
    readonly usage: Usage = NO_USAGE,
    /** The upstream's count of the recording's seconds. */
    readonly seconds: number | undefined = undefined,
  ) {}
}
