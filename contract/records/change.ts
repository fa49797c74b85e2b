/**
 * A stored change: all that the keeper of a copy needs to take it over. It names the changed object and holds none of
 * its values, so that it may go anywhere.
 */
export type Change =
  | {
      readonly of: "user" | "api-key" | "channel";
      readonly id: number;
      readonly what: "created" | "changed" | "removed";
    }
  | {
      readonly of: "session";
      /** The hash of its cookie. */
      readonly id: string;
      readonly what: "created" | "removed";
    }
  | {
      readonly of: "option";
      readonly id: string;
      readonly what: "changed";
    };
