import qrcode from "qrcode-generator";

/** Quiet zone around the code, in modules (ISO/IEC 18004, section 6.3.8). */
const MARGIN = 4;

/** A text as a QR code, black on white in either theme. */
const QrCode = ({ content, label }: { content: string; label: string }) => {
  const code = qrcode(0, "M");
  code.addData(content);
  code.make();
  const count = code.getModuleCount();
  const rows = Array.from({ length: count }, (_, row) =>
    Array.from({ length: count }, (_unused, column) =>
      code.isDark(row, column) ? `M${column + MARGIN} ${row + MARGIN}h1v1h-1z` : "",
    ).join(""),
  );
  const size = count + 2 * MARGIN;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full rounded-md"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={rows.join("")} fill="#000" />
    </svg>
  );
};

export default QrCode;
