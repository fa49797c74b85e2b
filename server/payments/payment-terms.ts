import { isOptionKey } from "@tollgate/contract/options/options";
import {
  type PaymentOffers,
  type PaymentTerms,
  parsePaymentOffers,
} from "@tollgate/contract/payments/payment-offers";
import { PAYMENT_PROVIDERS, type PaymentProvider } from "@tollgate/contract/payments/providers";
import { parseDecimal, ZERO } from "@tollgate/contract/values/decimal";
import type { Options } from "../state/options";

const NO_OFFERS: PaymentOffers = { packages: [], discounts: [], groups: new Map() };

/** The site's current price of quota. */
export const paymentTerms = (options: Pick<Options, "text">): PaymentTerms => {
  const offers = parsePaymentOffers(options.text("PaymentOffers"));
  return {
    currency: options.text("PaymentCurrency"),
    // A price that cannot be read sells nothing.
    unitPrice: parseDecimal(options.text("PaymentUnitPrice")) ?? ZERO,
    minimum: parseDecimal(options.text("PaymentMinimum")) ?? ZERO,
    quotaPerUnit: parseDecimal(options.text("QuotaPerUnit")) ?? ZERO,
    offers: "fault" in offers ? NO_OFFERS : offers,
  };
};

/** The value of an option by its name. */
export const optionText = (options: Pick<Options, "text">, key: string): string =>
  isOptionKey(key) ? options.text(key) : "";

/** Payment methods of a provider that buyers choose from; a single "" where there is no choice. */
const methodsOf = (
  options: Pick<Options, "text">,
  { methods }: { methods?: { option: string; default: string } },
): string[] => {
  if (!methods) return [""];
  const named = (optionText(options, methods.option) || methods.default).split(",");
  return [...new Set(named.map((name) => name.trim()).filter((name) => /^\w{1,32}$/.test(name)))];
};

/** A provider over which buyers can pay now. */
export interface OfferedProvider {
  provider: PaymentProvider;
  methods: string[];
}

export const offeredProviders = (options: Pick<Options, "text" | "isOn">): OfferedProvider[] =>
  !options.isOn("PaymentEnabled")
    ? []
    : PAYMENT_PROVIDERS.filter(
        ({ switch: main, currency }) =>
          options.isOn(main.option) && (currency === "any" || currency === options.text("PaymentCurrency")),
      ).map((provider) => ({ provider, methods: methodsOf(options, provider) }));
