import {
  changeSignInProvider,
  createSignInProvider,
  MAX_PROVIDER_NAME,
  MAX_PROVIDER_TEXT,
  type SignInProvider,
} from "@tollgate/contract/api/sign-in-providers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { SwitchField } from "../../components/switch-field";
import { TextField, type TextFieldProps } from "../../components/text-field";
import { notify } from "../../lib/notify";
import { serverAddress, useStatus } from "../../lib/status";
import { useSave } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";

const NEW = {
  ...{ name: "", slug: "", issuer: "", clientId: "", clientSecret: "", scopes: "openid profile email" },
  ...{ emailDomains: "", groupClaim: "", requiredGroups: "", isEnabled: true, mayRegister: true },
};
type Draft = typeof NEW;

/** Names of the fields on the wire, under which the server refuses them. */
const WIRE = {
  ...{ name: "name", slug: "slug", issuer: "issuer", clientId: "client_id", clientSecret: "client_secret" },
  ...{ scopes: "scopes", emailDomains: "email_domains", groupClaim: "group_claim" },
  ...{ requiredGroups: "required_groups" },
} as const;
type TextName = keyof typeof WIRE;

const draftOf = ({ name, slug, issuer, clientId, ...rest }: SignInProvider): Draft => ({
  ...{ name, slug, issuer, clientId, clientSecret: "", scopes: rest.scopes, groupClaim: rest.groupClaim },
  ...{ emailDomains: rest.emailDomains, requiredGroups: rest.requiredGroups },
  ...{ isEnabled: rest.isEnabled, mayRegister: rest.mayRegister },
});

const bodyOf = ({ isEnabled, mayRegister, ...texts }: Draft) => ({
  ...Object.fromEntries(Object.entries(WIRE).map(([name, wire]) => [wire, texts[name as TextName].trim()])),
  is_enabled: isEnabled,
  may_register: mayRegister,
});

/** The window to add or edit a provider. @param provider undefined for a new one. */
const ProviderWindow = ({
  provider,
  onClose,
}: {
  provider: SignInProvider | undefined;
  onClose: () => void;
}) => {
  const { t } = useTranslation();
  const status = useStatus();
  const refused = useMistakes();
  const save = useSave(createSignInProvider, changeSignInProvider, refused);
  const [draft, setDraft] = useState<Draft>(() => (provider ? draftOf(provider) : NEW));
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const field = (name: TextName, more: Partial<TextFieldProps> = {}) => (
    <TextField
      label={t(`signInProvider.${name}`)}
      name={WIRE[name]}
      value={draft[name]}
      maxLength={MAX_PROVIDER_TEXT}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      error={refused.of(WIRE[name])}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      {...more}
    />
  );
  const isRestricted = draft.emailDomains + draft.groupClaim + draft.requiredGroups !== "";
  return (
    <Dialog isOpen onClose={onClose} title={t(provider ? "signInProvider.edit" : "signInProvider.add")}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          refused.begin(event.currentTarget);
          save.mutate(
            { id: provider?.id, body: bodyOf(draft) },
            {
              onSuccess: () => {
                notify.success(t("signInProvider.saved"));
                onClose();
              },
            },
          );
        }}
      >
        {field("name", {
          isRequired: true,
          maxLength: MAX_PROVIDER_NAME,
          hint: t("signInProvider.nameHint"),
          autoCapitalize: "sentences",
        })}
        {!provider && field("slug", { isRequired: true, maxLength: 30, hint: t("signInProvider.slugHint") })}
        {!provider &&
          field("issuer", { isRequired: true, type: "url", hint: t("signInProvider.issuerHint") })}
        {draft.slug !== "" && (
          <p className="break-all text-sm text-ink-2">
            {t("signInProvider.callback", { address: `${serverAddress(status)}/oauth/${draft.slug}` })}
            <br />
            {t("signInProvider.callbackHint")}
          </p>
        )}
        {field("clientId", { isRequired: true })}
        {/* Not a password: browsers would offer to store it, and fill in a different one. */}
        {field("clientSecret", provider?.hasSecret ? { placeholder: t("signInProvider.secretKept") } : {})}
        {field("scopes")}
        <AdvancedSection
          title={t("signInProvider.who")}
          hint={t("signInProvider.whoHint")}
          isOpen={isRestricted}
          hasMistake={["email_domains", "group_claim", "required_groups"].some((name) => refused.of(name))}
        >
          {field("emailDomains", { hint: t("signInProvider.emailDomainsHint"), placeholder: "example.com" })}
          {field("groupClaim", { hint: t("signInProvider.groupClaimHint"), placeholder: "groups" })}
          {field("requiredGroups", { hint: t("signInProvider.requiredGroupsHint") })}
        </AdvancedSection>
        <SwitchField
          label={t("signInProvider.mayRegister")}
          hint={t("signInProvider.mayRegisterHint")}
          isOn={draft.mayRegister}
          onChange={(mayRegister) => change({ mayRegister })}
        />
        <SwitchField
          label={t("signInProvider.isEnabled")}
          isOn={draft.isEnabled}
          onChange={(isEnabled) => change({ isEnabled })}
        />
        <DialogActions>
          <Button type="submit" variant="primary" isBusy={save.isPending}>
            {t("signInProvider.save")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};

export default ProviderWindow;
