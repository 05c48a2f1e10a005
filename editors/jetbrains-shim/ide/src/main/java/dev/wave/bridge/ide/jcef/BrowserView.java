package dev.wave.bridge.ide.jcef;

import com.google.gson.JsonObject;
import com.intellij.ide.BrowserUtil;
import com.intellij.openapi.application.ApplicationManager;
import com.intellij.openapi.util.Disposer;
import com.intellij.ui.jcef.JBCefApp;
import com.intellij.ui.jcef.JBCefBrowser;
import com.intellij.ui.jcef.JBCefJSQuery;
import dev.wave.bridge.ide.Look;
import dev.wave.bridge.ide.PanelView;
import dev.wave.bridge.panel.PageFiles;
import dev.wave.bridge.panel.PageScript;
import dev.wave.bridge.panel.Panel;
import java.util.function.Supplier;
import javax.swing.JComponent;
import org.cef.browser.CefBrowser;
import org.cef.browser.CefFrame;
import org.cef.handler.CefLoadHandlerAdapter;
import org.cef.handler.CefRequestHandlerAdapter;
import org.cef.handler.CefResourceHandler;
import org.cef.handler.CefResourceRequestHandler;
import org.cef.handler.CefResourceRequestHandlerAdapter;
import org.cef.misc.BoolRef;
import org.cef.network.CefRequest;
import org.cef.network.CefRequest.TransitionType;

/** The panel in the IDE's Chromium. With {@link Answer} the only classes that name JCEF. */
public final class BrowserView implements PanelView {
    private final PageFiles files = new PageFiles(BrowserView.class);
    private final JBCefBrowser browser = new JBCefBrowser();
    private final JBCefJSQuery query = JBCefJSQuery.create(browser); // before the native browser exists
    private final CefBrowser cef = browser.getCefBrowser();

    private BrowserView() {
        Disposer.register(this, browser); // the query is its client's, and goes with it
    }

    /** Makes one, or null where JCEF can't run or the plugin was built without the panel. */
    public static PanelView make() {
        return JBCefApp.isSupported() && new PageFiles(BrowserView.class).present() ? new BrowserView() : null;
    }

    @Override
    public JComponent component() {
        return browser.getComponent();
    }

    @Override
    public void run(String script) {
        cef.executeJavaScript(script, PageFiles.INDEX, 0);
    }

    @Override
    public void show(Panel panel, Supplier<JsonObject> facts) {
        query.addHandler(text -> {
            panel.received(text);
            return null;
        });
        browser.getJBCefClient().addLoadHandler(new Loads(panel), cef);
        browser.getJBCefClient().addRequestHandler(new Requests(facts), cef);
        browser.loadURL(PageFiles.INDEX);
    }

    @Override
    public void dispose() {
        // its children are
    }

    private final class Loads extends CefLoadHandlerAdapter {
        private final Panel panel;

        Loads(Panel panel) {
            this.panel = panel;
        }

        @Override
        public void onLoadStart(CefBrowser loading, CefFrame frame, TransitionType transition) {
            if (frame.isMain()) {
                panel.loading();
            }
        }

        @Override
        public void onLoadEnd(CefBrowser loaded, CefFrame frame, int status) {
            if (frame.isMain()) {
                run(PageScript.attach(query.inject(PageScript.TEXT, PageScript.DONE, PageScript.FAILED)));
                ApplicationManager.getApplication().invokeLater(() -> run(Look.script())); // Swing's colours
            }
        }
    }

    private final class Requests extends CefRequestHandlerAdapter {
        private final Supplier<JsonObject> facts;

        Requests(Supplier<JsonObject> facts) {
            this.facts = facts;
        }

        /** A link leads to the system's browser: the panel's own page is the only one that is shown here. */
        @Override
        public boolean onBeforeBrowse(CefBrowser from, CefFrame frame, CefRequest request, boolean gesture, boolean redirect) {
            boolean foreign = !request.getURL().startsWith(PageFiles.ORIGIN);
            if (foreign && gesture) {
                BrowserUtil.browse(request.getURL());
            }
            return foreign;
        }

        @Override
        public CefResourceRequestHandler getResourceRequestHandler(
                CefBrowser from, CefFrame frame, CefRequest request, boolean navigation, boolean download,
                String initiator, BoolRef disableDefault) {
            return new CefResourceRequestHandlerAdapter() {
                @Override
                public CefResourceHandler getResourceHandler(CefBrowser of, CefFrame in, CefRequest wanted) {
                    return files.answer(wanted.getURL(), facts.get()).map(Answer::new).orElse(null);
                }
            };
        }
    }
}
