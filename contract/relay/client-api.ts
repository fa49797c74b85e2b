import type { ModelTrait } from "../api/pricing";
import type { ModelPriceEntry } from "../management/model-price";
import type { ModelAbilities } from "../values/model-abilities";
import type { ClientError } from "./error";
import type { Operation } from "./operation";
import type { ClientProtocol, RequestAddress } from "./protocol";

/** A chat: its body is read, run and answered. */
export interface AskedChat {
  readonly kind: "chat";
  /** Model in the address of a protocol that has it in the body; counts where the body has none. */
  readonly model?: string;
  /** Given where the protocol has the model in the address. */
  readonly address?: RequestAddress;
  /** A stream goes out as one growing JSON array instead of server-sent events. */
  readonly isArray?: boolean;
}

/** How an API counts the tokens of a chat beforehand. */
export interface TokenCount {
  /** Fields that a chat must have, and a count need not. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** The chat within the body; absent where the body is the chat. */
  chatOf?(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  encode(tokens: number): unknown;
}

/** How many tokens a chat would read. */
export interface AskedCount {
  readonly kind: "count";
  readonly count: TokenCount;
  readonly address?: RequestAddress;
}

/** Something else than a chat. */
export interface AskedOperation {
  readonly kind: "operation";
  readonly operation: Operation;
  /** Given where the address names the model. */
  readonly model?: string;
}

/** Operation of an address. The gateway knows these kinds, and serves each of them in one way for all APIs. */
export type Asked =
  | AskedChat
  | AskedCount
  | AskedOperation
  /** The models that a key may use. */
  | { readonly kind: "models" }
  /** One of them. @param id in clear. */
  | { readonly kind: "model"; readonly id: string }
  /** Spent quota of a key, or of its owner. */
  | { readonly kind: "billing"; readonly figures: "subscription" | "usage" }
  /** The standing of the presented key: its balance and its limits. */
  | { readonly kind: "key-usage" }
  /** The sums of the presented key's requests by day and model. Parameters as sent; "" for the usual ones. */
  | { readonly kind: "key-days"; readonly days: string; readonly offset: string }
  /** One request of the presented key. @param id as its answer's header named it; "" for none. */
  | { readonly kind: "generation"; readonly id: string }
  /** The latest requests of the presented key. @param count how many, as sent; "" for the usual number. */
  | { readonly kind: "generations"; readonly count: string }
  /** An operation that the API has and the gateway does not: the answer says so, instead of an unknown address. */
  | { readonly kind: "refusal"; readonly code: "not-implemented" | "responses-not-stored" };

/** Values in a path in place of its names, as written: escapes are left as they are. */
export type PathParts = Readonly<Record<string, string | undefined>>;

/** One address of an API. */
export interface Endpoint {
  /** "any" is every method for which no other endpoint has this path. */
  readonly method: "GET" | "POST" | "DELETE" | "any";
  /** From "/" on. ":name" stands for one segment, "*" for everything from there on, the empty text too. */
  readonly path: string;
  /**
   * The operation, or a function that reads it from the path.
   * @param query the address after the "?". @returns undefined for an unknown address.
   */
  readonly asked: Asked | ((parts: PathParts, query: string) => Asked | undefined);
}

/** A model as a list tells it. */
export interface ListedModel {
  readonly id: string;
  /** Whose model it is; "custom" where no price list names it. */
  readonly owner: string;
  /** Facts of the price page about it; absent in lists for no key. */
  readonly facts?: ModelFacts;
}

/** Facts about a model for one key. Unknown ones are absent. */
export interface ModelFacts {
  /** Tokens of prompt and answer together. */
  readonly context?: number | undefined;
  /** The most tokens of one answer. */
  readonly outputLimit?: number | undefined;
  /** What it can do. */
  readonly abilities?: ModelAbilities | undefined;
  readonly traits: readonly ModelTrait[];
  /** Names of the endpoints that serve it, as new-api has them. */
  readonly endpointTypes: readonly string[];
  /** USD, at the ratio of the key's group and with its price rule. */
  readonly price?: ModelPriceEntry | undefined;
}

/** How an API lists models. */
export interface ModelList {
  describe(model: ListedModel): unknown;
  /** @param query the address after the "?", for lists in pages. */
  encode(models: readonly ListedModel[], query: string): unknown;
  /** That there is no such model, where that is told in another shape than other errors. */
  encodeMissing?(error: ClientError): unknown;
}

/** An API as its clients know it: its addresses, and the differences between APIs besides the shape of chats. Pure. */
export interface ClientApi {
  /** The shape of its chats and of its errors. */
  readonly protocol: ClientProtocol;
  /** Prefixes of its addresses. The gateway answers every address with such a prefix, also unknown ones. */
  readonly bases: readonly string[];
  readonly endpoints: readonly Endpoint[];
  /**
   * First segments that clients repeat, or bring from a vendor's base address, with the bases that each may stand for, the
   * likeliest first.
   */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /**
   * How its clients are known at addresses that are not theirs alone: by a header that they send, in lower case, or because
   * all that begins with `path` is theirs. Absent for APIs that have no such addresses, and for the one that is assumed of
   * all others.
   */
  readonly recognizedBy?: { readonly header: string; readonly path?: string };
  /** The header besides `authorization` in which its clients send the key, in lower case. */
  readonly keyHeader?: string;
  /** The name in an address' query under which its clients may send the key. */
  readonly keyParameter?: string;
  /** The header in which its clients look for the request's id, also below `path`; absent for "x-request-id". */
  readonly requestId?: { readonly header: string; readonly path: string };
  /** Absent where its clients do not list models. */
  readonly models?: ModelList;
  /** That there is nothing at an address, where that is told in another shape than other errors. */
  encodeUnknownPath?(error: ClientError): unknown;
}
