import type { User } from "@tollgate/contract/api/user";
import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "../../components/text-field";

/** The linked external accounts. They are bound only on the user's own settings page. */
export const BoundAccounts = ({ user }: { user: User }) => {
  const { t } = useTranslation();
  const id = useId();
  const field = { readOnly: true, placeholder: t("user.unbound"), className: "bg-sunken" };
  return (
    <fieldset
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-hint`}
      className="flex flex-col gap-5 border-line border-t pt-5"
    >
      <div>
        <h2 id={`${id}-title`} className="font-semibold text-lg">
          {t("user.bound")}
        </h2>
        <p id={`${id}-hint`} className="mt-0.5 text-sm text-ink-2">
          {t("user.bindHint")}
        </p>
      </div>
      {/* In two columns, so that a user's own form fits above its fixed buttons. */}
      <div className="grid gap-x-4 gap-y-5 wide:grid-cols-2">
        {SIGN_IN_METHODS.map(({ name, title }) => (
          <TextField
            key={name}
            label={t("user.identity", { context: name, method: title })}
            value={user.identities[name] ?? ""}
            {...field}
          />
        ))}
        <TextField label={t("user.email")} value={user.email} {...field} />
      </div>
    </fieldset>
  );
};
