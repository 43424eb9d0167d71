import { head, parts } from "../texts/words.ts";

const SUBJECT = "{{ ticket.subject }}";
const VIEW = "View Ticket | {{ links.ticket }}";
const LINK = "[Ticket #{{ ticket.num }}]({{ links.ticket }})";

const ATTRIBUTES = `- **Number:** #{{ ticket.num }}
- **Type:** {{ nice_type }}
- **Category:** {{ nice_category }}
- **Status:** {{ nice_status }}
- **Author:** {{ nice_author }}
- **Assignees:** {{ nice_assignees }}
- **Due:** {{ nice_due }}
- **Tags:** {{ nice_tags }}`;

/** Templates of mails about tickets. The contract defines their content and its order (docs/contract/mail.md#content). */
export const TICKET_TEMPLATES: Readonly<Record<string, string>> = {
  ticket_new: parts(
    head(`#{{ ticket.num }} created: ${SUBJECT}`, "New {{ kind }}", VIEW),
    "{{ kind }} **#{{ ticket.num }}** was created.",
    `## ${SUBJECT}`,
    "{{ ticket_body }}",
    "## Details",
    ATTRIBUTES,
    LINK,
  ),
  ticket_update: parts(
    head(`#{{ ticket.num }} updated: ${SUBJECT}`, "{{ kind }} Updated", VIEW),
    `{{ kind }} **#{{ ticket.num }}** was updated: ${SUBJECT}`,
    "{{ changes }}",
    "{{ ticket_body }}",
    "{{ comments }}",
    "## Details",
    `- **Subject:** ${SUBJECT}\n${ATTRIBUTES}`,
    LINK,
  ),
  ticket_overdue: parts(
    head(`#{{ ticket.num }} overdue: ${SUBJECT}`, "Overdue", VIEW),
    `{{ kind }} **#{{ ticket.num }}** was due {{ nice_due }} and is overdue: ${SUBJECT}`,
    "## Details",
    `- **Subject:** ${SUBJECT}
- **Due:** {{ nice_due }}
- **Number:** #{{ ticket.num }}
- **Type:** {{ nice_type }}
- **Category:** {{ nice_category }}
- **Status:** {{ nice_status }}
- **Assignees:** {{ nice_assignees }}
- **Tags:** {{ nice_tags }}`,
    LINK,
  ),
};
