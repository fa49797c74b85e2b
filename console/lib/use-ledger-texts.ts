import { LEDGER_ACCOUNTS, LEDGER_CAUSES } from "@tollgate/contract/records/ledger-entry";
import { useTranslation } from "react-i18next";

/** What causes and accounts are called; one that only a newer server knows is called by its own name. */
export const useLedgerTexts = () => {
  const { t } = useTranslation();
  return {
    causeText(cause: string): string {
      const known = LEDGER_CAUSES.find((each) => each === cause);
      return known ? t(`ledger.causes.${known}`) : cause;
    },
    accountText(account: string): string {
      const known = LEDGER_ACCOUNTS.find((each) => each === account);
      return known ? t(`ledger.accounts.${known}`) : account;
    },
  };
};
