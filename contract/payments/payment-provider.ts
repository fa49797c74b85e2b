/** An option of one provider, on a card of the provider's own; "" until a person saves it. All of them are root's. */
export interface PaymentOption {
  /** "area" for several lines; a "secret" is stored sealed and never sent back. */
  type: "text" | "area" | "url" | "secret";
  hasHint?: true;
  hasPlaceholder?: true;
}

export type PaymentOptions = Readonly<Record<string, PaymentOption>>;

/** A provider of payments: all that the browser may know of it. */
export interface PaymentProviderOf<
  Name extends string,
  Switch extends string,
  Options extends PaymentOptions,
> {
  /** Small letters and hyphens: part of the address of its callbacks, stored with orders, the name of its card in the settings. */
  name: Name;
  /** Title; languages with another name have their own text. */
  title: string;
  /** The currency that it takes; "any" for each that a site may sell in. */
  currency: "any" | "CNY";
  switch: {
    /** The option that switches it on. */
    option: Switch;
    /** Options that must be filled before. */
    needs: readonly (keyof Options & string)[];
  };
  /** Its other options, by their names on the wire. */
  options: Options;
  /** The option that names the ways to pay among which the buyer chooses, with commas between. */
  methods?: { option: keyof Options & string; default: string };
  /** Whether money can be sent back over it; otherwise that is done by hand. */
  refunds: boolean;
}

export const definePaymentProvider = <
  const Name extends string,
  const Switch extends string,
  const Options extends PaymentOptions,
>(
  provider: PaymentProviderOf<Name, Switch, Options>,
): PaymentProviderOf<Name, Switch, Options> => provider;
