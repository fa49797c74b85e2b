import { downloadInvoice, downloadOwnInvoice, type Invoice } from "@tollgate/contract/api/invoices";
import { pathOf } from "@tollgate/contract/resource/endpoint";
import { useTranslation } from "react-i18next";
import type { RowAction } from "../../components/row-actions";
import { reportError } from "../../lib/report-error";
import { saveFile } from "../../lib/save-file";

/** Actions that get an issued invoice: its file, or its link. */
export const useInvoiceFiles = (isOwn: boolean) => {
  const { t } = useTranslation();
  return ({ id, fileType, link }: Invoice): RowAction[] => [
    ...(fileType === ""
      ? []
      : [
          {
            label: t("invoice.download"),
            onSelect: () =>
              saveFile(pathOf(isOwn ? downloadOwnInvoice : downloadInvoice, { id }), {}).catch(reportError),
          },
        ]),
    // Another server may send any address.
    ...(/^https?:\/\//.test(link)
      ? [
          {
            label: t("invoice.openLink"),
            onSelect: () => window.open(link, "_blank", "noopener,noreferrer"),
          },
        ]
      : []),
  ];
};
