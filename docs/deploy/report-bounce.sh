#!/bin/sh
# A mail server pipes a mail that came back to this, which reports it to Touchline:
#   report-bounce.sh https://portal.example.com /etc/touchline/bounce-header
# The second file has one line, `Authorization: Bearer ` and MAIL_BOUNCE_KEY, and only who runs this may read it.
# It ends with 75 (EX_TEMPFAIL), so that Postfix and Exim keep the mail and try again, while Touchline cannot be reached, restarts or
# does not take the key; and with 0 once the report is taken, or can never be, because it is none or too large.

portal=${1:?}
status=$(curl --silent --show-error --max-time 30 --output /dev/null --write-out '%{http_code}' \
  --header "@${2:?}" --header 'Content-Type: message/rfc822' --data-binary @- "${portal%/}/api/mail/bounce")
case $status in
2?? | 400 | 413) exit 0 ;;
*)
  echo "Touchline replied $status, see docs/errors.md (000: it did not reply)." >&2
  exit 75
  ;;
esac
