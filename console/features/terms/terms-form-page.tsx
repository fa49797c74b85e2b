import { useQuery } from "@tanstack/react-query";
import { MAX_TERMS_TEXT, publishTerms, type Terms } from "@tollgate/contract/api/terms";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { FormPage, Loaded } from "../../components/form-page";
import { MarkdownField } from "../../components/markdown-field";
import { SwitchField } from "../../components/switch-field";
import { useEndpoint } from "../../lib/use-endpoint";
import { useRecordForm } from "../../lib/use-fields";
import { termsQuery } from "./terms-queries";

const longText = z.string().check(z.maxLength(MAX_TERMS_TEXT, "terms.textLong"));
const fieldsSchema = z.object({ userAgreement: longText, privacyPolicy: longText, asksAgain: z.boolean() });

/** /setting/terms/add: a new version begins with the texts of the current one. */
export const AddTermsPage = () => {
  const { t } = useTranslation();
  return (
    <Loaded
      title={t("terms.addTitle")}
      query={useQuery({ ...termsQuery(undefined), staleTime: 0, gcTime: 0 })}
    >
      {(current) => <TermsForm key={current.version} current={current} />}
    </Loaded>
  );
};

const TermsForm = ({ current }: { current: Terms }) => {
  const { t } = useTranslation();
  const { version, userAgreement, privacyPolicy } = current;
  const form = useRecordForm({
    id: undefined,
    initial: { userAgreement, privacyPolicy, asksAgain: version === 0 },
    schema: fieldsSchema,
    list: "/setting/terms",
  });
  const publish = useEndpoint(publishTerms, form);
  return (
    <FormPage
      title={t("terms.addTitle")}
      description={t("terms.addDescription")}
      isSaving={publish.isPending}
      {...form.page((typed) =>
        publish.mutate(
          {
            body: {
              version,
              user_agreement: typed.userAgreement,
              privacy_policy: typed.privacyPolicy,
              asks_again: typed.asksAgain,
            },
          },
          { onSuccess: () => form.done() },
        ),
      )}
    >
      <MarkdownField
        label={t("siteTerms.userAgreement")}
        hint={t("terms.textHint")}
        {...form.value("userAgreement", { max: MAX_TERMS_TEXT })}
      />
      <MarkdownField
        label={t("siteTerms.privacyPolicy")}
        hint={t("terms.textHint")}
        {...form.value("privacyPolicy", { max: MAX_TERMS_TEXT })}
      />
      <SwitchField label={t("terms.asksAgain")} hint={t("terms.asksAgainHint")} {...form.flag("asksAgain")} />
    </FormPage>
  );
};
