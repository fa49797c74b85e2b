import { splitList } from "@tollgate/contract/values/split-list";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Field, SETTING_ROW } from "../../components/field";
import { addDomain } from "./option-changes";

interface DomainsFieldProps {
  label: string;
  /** The comma list. */
  value: string;
  disabled: boolean;
  onChange: (list: string) => void;
}

/** A list of domains as tags, which can be removed and added. */
export const DomainsField = ({ label, value, disabled, onChange }: DomainsFieldProps) => {
  const { t } = useTranslation();
  const domains = splitList(value);
  const [typed, setTyped] = useState("");
  const add = () => {
    onChange(addDomain(domains, typed).join(","));
    setTyped("");
  };
  return (
    <fieldset disabled={disabled} className={SETTING_ROW}>
      <legend className="sr-only">{label}</legend>
      <span aria-hidden className="font-medium text-sm">
        {label}
      </span>
      <div className="flex min-w-0 flex-col gap-2">
        {domains.length === 0 ? (
          <p className="text-sm text-ink-3">{t("setting.noDomains")}</p>
        ) : (
          <ul className="flex flex-wrap gap-1.5">
            {domains.map((domain) => (
              <li
                key={domain}
                className={clsx(
                  "flex h-control-small max-w-full items-center rounded-sm bg-sunken ps-2.5 text-sm",
                  disabled && "pe-2.5",
                )}
              >
                <span className="truncate">{domain}</span>
                {!disabled && (
                  <button
                    type="button"
                    aria-label={t("action.removeItem", { item: domain })}
                    onClick={() => onChange(domains.filter((each) => each !== domain).join(","))}
                    className="grid size-7 shrink-0 place-items-center rounded-sm text-ink-3 hover:text-ink"
                  >
                    <X aria-hidden className="size-3.5" />
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        {!disabled && (
          <Field label={t("setting.customDomain")}>
            {(control) => (
              <div className="flex gap-2">
                <input
                  {...control}
                  className="control max-w-72"
                  value={typed}
                  placeholder={t("setting.customDomainPlaceholder")}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  onChange={(event) => setTyped(event.target.value)}
                  onKeyDown={(event) => {
                    // Enter triggers this field's button and not the form's. An input method's Enter triggers neither.
                    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
                    event.preventDefault();
                    add();
                  }}
                />
                <Button onClick={add}>{t("setting.addDomain")}</Button>
              </div>
            )}
          </Field>
        )}
      </div>
    </fieldset>
  );
};
