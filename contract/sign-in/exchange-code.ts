/** Who a person is at a sign-in method. */
export interface ExternalAccount {
  /**
   * The method's permanent id of the account: a number rather than a name that another person can take over. "" for no
   * account.
   */
  subject: string;
  /** How a newcomer is shown; the method's own words for one without a name. */
  displayName: string;
  /** Only where the method has made sure that it is theirs: the reader of its mails can set the account's password. */
  email?: string;
}

/**
 * Why a code names no account: the method gave no answer that can be used, does not know the code, told of no account, or
 * of one that the site's options do not admit.
 */
export type ExchangeFault = "unreachable" | "code-wrong" | "nobody" | "not-admitted";

export interface ExchangeTools<Option extends string, Address extends string> {
  /** The code that the person brought; never "". */
  code: string;
  /** The value of one of the method's options. */
  option(key: Option): string;
  /** Where one of the method's services is; no slash at its end. */
  address(name: Address): string;
  /** Where people were sent back to with the code. */
  back: string;
  /** The bytes of a text in base64. */
  encodeBase64(text: string): string;
  /** Asks for JSON, through the outbound guard; redirects are not followed. undefined for anything but a good answer. */
  ask(
    url: string,
    request: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<unknown>;
}

/** Fields as the query of an address, or as a form (application/x-www-form-urlencoded). */
export const encodeFields = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");

/** How a method makes an account of a code: for the server alone, which has the secrets for it. */
export interface CodeExchange<Option extends string = string, Address extends string = string> {
  /** Where the method's services are, by the environment variable that says otherwise. */
  addresses: Readonly<Record<Address, string>>;
  identify(tools: ExchangeTools<Option, Address>): Promise<ExternalAccount | ExchangeFault>;
}

/** Declares the exchange of a method, whose options it may read. */
export const exchangeOf = <Options extends object, const Address extends string>(
  _method: { options: Options },
  exchange: CodeExchange<keyof Options & string, Address>,
): CodeExchange<keyof Options & string, Address> => exchange;
