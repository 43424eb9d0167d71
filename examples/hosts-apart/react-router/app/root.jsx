import { Outlet } from "react-router";

// biome-ignore lint/style/noDefaultExport: React Router asks for it
export default () => (
  <html lang="en">
    <body>
      <Outlet />
    </body>
  </html>
);
