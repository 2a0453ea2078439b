// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev A token that can block recipients and can make one call when an account receives tokens.
contract BlockingToken is ERC20 {
    mapping(address account => bool) public blocked;

    address private receiver;
    address private target;
    bytes private data;
    uint256 public calls;
    bool public succeeded;

    error Blocked(address account);

    constructor() ERC20("Blocking", "BLOCK") {
        _mint(msg.sender, 1e30);
    }

    function set(address account, bool blocks) external {
        blocked[account] = blocks;
    }

    function callOnReceipt(address receiver_, address target_, bytes calldata data_) external {
        (receiver, target, data) = (receiver_, target_, data_);
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (blocked[to]) revert Blocked(to);
        super._update(from, to, amount);
        if (to != receiver || target == address(0)) return;
        address once = target;
        target = address(0);
        ++calls;
        (succeeded,) = once.call(data);
    }
}
