// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecipient} from "./FickleToken.sol";

/// @dev A smart account that relays calls for the owner of its key.
contract CallingAccount {
    function relay(address target, bytes calldata data) external returns (bool, bytes memory) {
        return target.call(data);
    }
}

/// @dev A smart account that, when armed, makes one call as soon as it receives tokens.
contract ReenteringAccount is IRecipient {
    address private target;
    bytes private data;
    bool public called;
    bool public succeeded;
    bytes public answer;

    function arm(address target_, bytes calldata data_) external {
        (target, data, called, succeeded) = (target_, data_, false, false);
    }

    function tokensReceived() external {
        if (target == address(0)) return;
        address once = target;
        (target, called) = (address(0), true);
        (succeeded, answer) = once.call(data);
    }
}
