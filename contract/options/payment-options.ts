import type { PaymentOption } from "../payments/payment-provider";
import { PAYMENT_PROVIDERS, type PaymentProvider, type PaymentProviderName } from "../payments/providers";

/*
 * The part of the catalogue that the payment providers declare (contract/payments/): a card for each, with its switch
 * and its options. All of it is root's with a sign-in: a person who sets the receiver of money, or the key that
 * verifies callbacks, can give quota to any user. TypeScript does not follow the names of a list; the types describe
 * the lines beside them.
 */

interface OfProvider<Name> {
  section: Name;
  changedBy: "root-session";
  isExtra: true;
}

type SwitchesOf<Provider> = Provider extends {
  name: infer Name;
  switch: { option: infer Switch extends string; needs: infer Needs };
}
  ? { [Key in Switch]: OfProvider<Name> & { type: "switch"; default: false; needs: Needs } }
  : never;

type FieldsOf<Provider> = Provider extends {
  name: infer Name;
  options: infer Options extends Record<string, PaymentOption>;
}
  ? { [Key in keyof Options]: OfProvider<Name> & Options[Key] & { default: "" } }
  : never;

type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The options of all providers, by their names on the wire. */
export const PAYMENT_OPTIONS = Object.assign(
  {},
  ...PAYMENT_PROVIDERS.map(({ name, switch: main, options }) => {
    const common = { section: name, changedBy: "root-session", isExtra: true };
    return {
      [main.option]: { ...common, type: "switch", default: false, needs: main.needs },
      ...Object.fromEntries(
        Object.entries<PaymentOption>(options).map(([key, own]) => [key, { ...common, default: "", ...own }]),
      ),
    };
  }),
) as Merged<SwitchesOf<PaymentProvider>> & Merged<FieldsOf<PaymentProvider>>;

/** The cards of the settings page on which they stand. */
export const PAYMENT_SECTIONS = Object.fromEntries(
  PAYMENT_PROVIDERS.map(({ name }) => [name, "system"]),
) as Record<PaymentProviderName, "system">;
