import type { PageProps } from "../page.ts";
import { NoticePage } from "./notice.tsx";
import { ProblemPage } from "./problem.tsx";

/** One problem, or one notice about it. */
export const Page = ({ params: { id = "" }, route }: PageProps) =>
  route.startsWith("/notices/problems") ? <ProblemPage key={id} id={id} /> : <NoticePage key={id} id={id} />;
