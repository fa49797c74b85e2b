import { useNavigate } from "@tanstack/react-router";
import { encodeUserBody } from "@tollgate/contract/api/user";
import { createUser } from "@tollgate/contract/api/users";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { FormPage } from "../../components/form-page";
import { TextField } from "../../components/text-field";
import { focusMistake } from "../../lib/focus-mistake";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";

/** /user/add. The form is cleared and stays open, so that several users can be added in a row. */
export const AddUserPage = () => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const refused = useMistakes();
  const add = useEndpoint(createUser, refused);
  const form = useRef<HTMLFormElement>(null);

  const submit = (element: HTMLFormElement) => {
    const data = new FormData(element);
    const text = (name: string) => String(data.get(name) ?? "");
    const body = {
      username: text("username").trim(),
      displayName: text("display_name").trim(),
      password: text("password"),
    };
    const { username, password } = body;
    const missing = Object.entries({ username, password }).filter(([, typed]) => typed === "");
    if (focusMistake(element, Object.fromEntries(missing))) return;
    add.mutate(
      { body: encodeUserBody(body) },
      {
        onSuccess: () => {
          notify.success(t("action.done"));
          form.current?.reset();
        },
      },
    );
  };

  return (
    <FormPage
      title={t("user.addTitle")}
      formRef={form}
      onSubmit={(event) => {
        event.preventDefault();
        refused.begin(event.currentTarget);
        submit(event.currentTarget);
      }}
      onCancel={() => void navigate({ to: "/user" })}
      isSaving={add.isPending}
    >
      <TextField
        label={t("account.username")}
        name="username"
        isRequired
        error={refused.of("username")}
        maxLength={12}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={t("user.newUsernamePlaceholder")}
      />
      <TextField
        label={t("user.displayName")}
        name="display_name"
        error={refused.of("display_name")}
        maxLength={20}
        autoComplete="off"
        placeholder={t("user.displayNamePlaceholder")}
      />
      <TextField
        label={t("account.password")}
        name="password"
        error={refused.of("password")}
        type="password"
        isRequired
        autoComplete="new-password"
        placeholder={t("user.newPasswordPlaceholder")}
      />
    </FormPage>
  );
};
