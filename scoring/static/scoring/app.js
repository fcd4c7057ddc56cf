// Every script of the pages. A page asks for this file alone: what it imports is joined into it when static files are
// collected (deploy/static_files.py), and a browser that gets it as it stands asks for the others itself.
import "./courtesies.js";
import "./clock.js";
import "./name_chips.js";
import "./live.js";
import "./presence.js";
import "./typing.js";
import "./dictation.js";
import "./adjustment.js";
import "./recorded.js";
import "./results.js";
import "./singles.js";
import "./dependents.js";
import "./taps.js";
import "./played.js";
import "./clause_sheet.js";
import "./struck.js";
import "./following.js";
import "./evening.js";
import "./outbox_status.js";
import "./offline.js";
import "./forgetting.js";
import "./awake.js";
import "./scene.js";
import "./caught.js";
import "./sending_on.js";
import "./picture.js";
