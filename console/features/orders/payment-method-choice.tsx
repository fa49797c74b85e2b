import type { OrderTermsWire } from "@tollgate/contract/api/order-terms";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Segmented } from "../../components/segmented";
import { useOrderTexts } from "./use-order-texts";

/** A payment method of a provider. */
interface PaymentMethod {
  key: string;
  provider: string;
  method: string;
}

/** The payment methods and the chosen one; undefined without one. */
interface PaymentMethods {
  all: readonly PaymentMethod[];
  chosen: PaymentMethod | undefined;
  choose: (key: string) => void;
}

const methodsOf = ({ providers }: OrderTermsWire): PaymentMethod[] =>
  providers.flatMap(({ name, methods }) =>
    methods.map((method) => ({ key: `${name} ${method}`, provider: name, method })),
  );

export const usePaymentMethods = (terms: OrderTermsWire): PaymentMethods => {
  const all = methodsOf(terms);
  const [chosenKey, choose] = useState(all[0]?.key ?? "");
  return { all, chosen: all.find(({ key }) => key === chosenKey), choose };
};

/** The buyer's choice of a payment method. */
export const PaymentMethodChoice = ({ methods: { all, chosen, choose } }: { methods: PaymentMethods }) => {
  const { t } = useTranslation();
  const { methodText, providerText } = useOrderTexts();
  /** Adds the provider's name if another provider has a method of the same name. */
  const labelOf = ({ provider, method }: PaymentMethod): string => {
    const text = methodText(provider, method);
    const isAlone = all.every(
      (each) => each.provider === provider || methodText(each.provider, each.method) !== text,
    );
    return isAlone || method === "" ? text : `${text} · ${providerText(provider)}`;
  };
  return (
    <div>
      <div className="mb-1.5 font-medium text-sm">{t("order.paymentMethod")}</div>
      <Segmented
        label={t("order.paymentMethod")}
        value={chosen?.key ?? ""}
        segments={all.map((each) => ({ value: each.key, label: labelOf(each) }))}
        onChange={choose}
        className="w-fit"
      />
    </div>
  );
};
