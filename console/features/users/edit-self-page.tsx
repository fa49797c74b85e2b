import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { changeSelf } from "@tollgate/contract/api/own-account";
import { encodeUserBody, type User } from "@tollgate/contract/api/user";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormPage, Loaded } from "../../components/form-page";
import { TextField } from "../../components/text-field";
import { RefusedError, refusedField } from "../../lib/api-client";
import { notify } from "../../lib/notify";
import { selfQuery } from "../../lib/self";
import { currentUser, rememberUser } from "../../lib/session";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { BoundAccounts } from "./bound-accounts";
import { UserAliases } from "./user-aliases";

/** /user/edit: one's own name and password. */
export const EditSelfPage = () => {
  const { t } = useTranslation();
  return (
    <Loaded title={t("user.editTitle")} query={useQuery(selfQuery)}>
      {(user) => <SelfForm user={user} />}
    </Loaded>
  );
};

const SelfForm = ({ user }: { user: User }) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const refused = useMistakes();
  const save = useEndpoint(changeSelf, refused);
  const [isAskedWho, setAskedWho] = useState(false);
  const [before] = useState(user.modelAliases ?? "");
  const [aliases, setAliases] = useState(before);

  const submit = (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "");
    const current = text("original_password");
    const body = {
      username: text("username"),
      displayName: text("display_name"),
      password: text("password"),
      // Another server does not know aliases.
      ...(aliases === before ? {} : { modelAliases: aliases }),
      ...(current === "" ? {} : { originalPassword: current }),
    };
    save.mutate(
      { body: encodeUserBody(body) },
      {
        // A server may require the old password some time after sign-in, and reports that in its own words.
        onError: (failure) =>
          setAskedWho(
            refusedField(failure) === undefined
              ? failure instanceof RefusedError && (body.password !== "" || body.username !== user.username)
              : isAskedWho || refusedField(failure) === "original_password",
          ),
        onSuccess: () => {
          const stored = currentUser();
          // Updates the stored name, which the menu shows.
          if (stored && body.username !== "") {
            rememberUser({ ...stored, username: body.username, displayName: body.displayName });
          }
          notify.success(t("action.done"));
          void navigate({ to: "/setting" });
        },
      },
    );
  };

  return (
    <FormPage
      title={t("user.editTitle")}
      onSubmit={(event) => {
        event.preventDefault();
        refused.begin(event.currentTarget);
        submit(new FormData(event.currentTarget));
      }}
      onCancel={() => void navigate({ to: "/setting" })}
      isSaving={save.isPending}
    >
      <TextField
        label={t("account.username")}
        name="username"
        autoComplete="username"
        error={refused.of("username")}
        defaultValue={user.username}
        maxLength={12}
      />
      <TextField
        label={t("account.password")}
        name="password"
        type="password"
        autoComplete="new-password"
        error={refused.of("password")}
        placeholder={t("user.passwordPlaceholder")}
      />
      {(isAskedWho || refused.of("original_password") !== undefined) && (
        <TextField
          label={t("user.currentPassword")}
          name="original_password"
          type="password"
          autoComplete="current-password"
          error={refused.of("original_password")}
          hint={t("user.currentPasswordHint")}
        />
      )}
      <TextField
        label={t("user.displayName")}
        name="display_name"
        autoComplete="nickname"
        error={refused.of("display_name")}
        defaultValue={user.displayName}
        maxLength={20}
      />
      <UserAliases
        text={t("user.aliasesText")}
        isOpen={before !== ""}
        value={aliases}
        error={refused.of("model_aliases")}
        onChange={setAliases}
      />
      <BoundAccounts user={user} />
    </FormPage>
  );
};
