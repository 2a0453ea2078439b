// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../../utils/Vm.sol";

/// @dev Cheat codes for writing files, used only by the invariant campaigns.
interface Files {
    function createDir(string calldata path, bool recursive) external;
    function writeLine(string calldata path, string calldata line) external;
}

Files constant files = Files(address(vm));

/// @dev Counts successful actions, and reverts by error. Registered names with no occurrence are
/// reported as zero, so that gaps in coverage are visible.
abstract contract Report {
    string private constant FOLDER = ".forge/campaigns";

    bytes4[] private actions;
    bytes4[] private reasons;
    mapping(bytes4 selector => string) internal nameOf;
    mapping(bytes4 selector => uint256) private done;
    mapping(bytes4 selector => uint256) private refusals;

    function _registerAction(bytes4 selector, string memory name) internal {
        if (bytes(nameOf[selector]).length == 0) actions.push(selector);
        nameOf[selector] = name;
    }

    function _registerReason(bytes4 selector, string memory name) internal {
        reasons.push(selector);
        nameOf[selector] = name;
    }

    function _countDone(bytes4 action) internal {
        ++done[action];
    }

    function _countRefusal(bytes4 reason) internal {
        vm.assertTrue(bytes(nameOf[reason]).length != 0, "an unregistered error");
        ++refusals[reason];
    }

    /// @dev Writes one line per counter with its profile, kind, name and count.
    function _report(string memory profile) internal {
        files.createDir(FOLDER, true);
        string memory text = "";
        for (uint256 i = 0; i < actions.length; ++i) {
            text = _line(text, profile, " did ", actions[i], done[actions[i]]);
        }
        for (uint256 i = 0; i < reasons.length; ++i) {
            text = _line(text, profile, " refused ", reasons[i], refusals[reasons[i]]);
        }
        files.writeLine(string.concat(FOLDER, "/", profile, ".txt"), text);
    }

    function _line(
        string memory text,
        string memory profile,
        string memory kind,
        bytes4 selector,
        uint256 count
    ) private view returns (string memory) {
        string memory end = string.concat(nameOf[selector], " ", vm.toString(count));
        return string.concat(text, bytes(text).length == 0 ? "" : "\n", profile, kind, end);
    }
}
